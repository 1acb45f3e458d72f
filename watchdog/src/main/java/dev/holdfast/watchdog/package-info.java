/**
 * When must which lease be renewed, and when is it lost. {@link dev.holdfast.watchdog.LeaseKeeper} answers both for any
 * number of leases; {@link dev.holdfast.watchdog.Deadlines} gives it, and whoever else has to give up on something, many
 * deadlines for the price of one timer entry. The package talks to no server and does not know what a lock is: it is
 * handed a {@link dev.holdfast.watchdog.LeaseStore} that renews a batch, and {@link dev.holdfast.watchdog.LeaseSubject}s
 * that want to hear how it went.
 */
@NullMarked
package dev.holdfast.watchdog;

import org.jspecify.annotations.NullMarked;
