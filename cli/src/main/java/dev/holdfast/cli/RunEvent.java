package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;

/** What a {@link Run} is notified of by other threads. */
sealed interface RunEvent {
    /** The client is connected. */
    record Connected(Holdfast client) implements RunEvent {}

    /** The lock is held. */
    record Granted(Lease lease) implements RunEvent {}

    /** The lock stayed busy until the end of the wait. */
    record Busy() implements RunEvent {}

    /** The client could not connect, or not acquire the lock. */
    record Failed(RuntimeException why) implements RunEvent {}

    /** A signal arrived. */
    record Signalled(SignalName name) implements RunEvent {}

    /** A renewal has had no reply for too long. */
    record AtRisk() implements RunEvent {}

    /** The lease was renewed. */
    record Renewed() implements RunEvent {}

    /** The lock was lost, or the command has ended: it is time to look at both. */
    record Changed() implements RunEvent {}
}
