/**
 * Waiting for a lock: the queue of the waiters of one client, what wakes it, and the cohort that hands the lock off among
 * them. Whether a call is still wanted is decided by the call. Internal: not for users.
 */
@NullMarked
package dev.holdfast.internal.wait;

import org.jspecify.annotations.NullMarked;
