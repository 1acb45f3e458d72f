package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.Op;

/**
 * What an owner was granted.
 *
 * @param lock the name of the lock
 * @param op the acquisition that the hold goes back to
 * @param token the token of the hold, 0 if it has none
 */
record Grant(String lock, Op op, long token) {}
