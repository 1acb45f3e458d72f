/**
 * Decides when each lease must be renewed, and when it is lost. {@link dev.holdfast.watchdog.LeaseKeeper} does so for
 * any number of leases; {@link dev.holdfast.watchdog.Deadlines} provides it, and every other class that needs a
 * timeout, with many deadlines at the cost of one timer entry. The package contains no network code and no notion of a
 * lock: it is given a {@link dev.holdfast.watchdog.LeaseStore} that renews a batch of leases, and
 * {@link dev.holdfast.watchdog.LeaseSubject}s that are notified of the results.
 */
@NullMarked
package dev.holdfast.watchdog;

import org.jspecify.annotations.NullMarked;
