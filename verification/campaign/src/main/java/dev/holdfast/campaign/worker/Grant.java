package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.Op;

/**
 * The grant of a level.
 *
 * @param lock the name of the lock
 * @param op the acquisition that the hold began with
 * @param token the token of the hold, 0 if it has none
 */
record Grant(String lock, Op op, long token) {}
