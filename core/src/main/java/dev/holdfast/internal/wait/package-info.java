/**
 * Waiting for a lock: the queue of the waiters of one client, and the cohort that hands the lock off among them.
 * Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.wait;

import org.jspecify.annotations.NullMarked;
