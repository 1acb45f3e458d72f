package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * An operation of an owner on a lock, carried out by one call to Redis. A lane runs one such command at a time.
 *
 * <pre>
 *   run() --> sent --- answered, refused ---> done()
 *     ^         |
 *     |         +--- UNKNOWN, or NOT_SENT ---> awaits a connection --- up -----------> run() again
 *     |         |                                   |
 *     |         +--- NOT_EXECUTED -----------> awaits execution --- a pause ---------> run() again
 *     |                                             |
 *     +---------------------------------------------+--- command timeout ---> giveUp() ---> done()
 * </pre>
 *
 * <p>To send a call again whose outcome is unknown is safe by the rule of scripts. A subclass ends every run by exactly
 * one of {@link #done()} and {@link #tryLater}.
 */
abstract class LaneCommand implements Call.Callback {
    private final OwnerLane lane;

    /** When the command first ran; written by its first run. */
    private long startedNanos;

    private boolean started;

    /** The command that runs after this one. Guarded by the lane. */
    private @Nullable LaneCommand next;

    LaneCommand(OwnerLane lane) {
        this.lane = lane;
    }

    /** Sends the command's call, or finds that there is nothing to send. */
    abstract void run();

    /**
     * There was no reply within the command timeout, or Redis did not execute the call in all that time: notifies the
     * caller that waits for the command, and calls {@link #done()}.
     *
     * @param cause why the last run was inconclusive; a {@link NotExecutedException} if Redis did not execute the call
     */
    abstract void giveUp(Throwable cause);

    final @Nullable LaneCommand next() {
        return next;
    }

    final void runsBefore(@Nullable LaneCommand later) {
        next = later;
    }

    final OwnerLane lane() {
        return lane;
    }

    final Engine engine() {
        return lane.engine();
    }

    final LockExceptions failures() {
        return lane.engine().failures();
    }

    final LockKey lock() {
        return lane.lock();
    }

    final void start() {
        if (!started) {
            started = true;
            startedNanos = engine().now();
        }
        run();
    }

    final void done() {
        lane.done(this);
    }

    /**
     * Runs again once there is a connection, or Redis executes commands again; gives up when the command timeout has
     * passed since the first run.
     */
    final void tryLater(Call failed) {
        engine().noteOutcome(failed);
        Throwable cause = failed.cause();
        engine().outage()
                .await(
                        failed,
                        this::start,
                        untilNanos(),
                        () -> giveUp(cause == null ? new IllegalStateException("no cause") : cause));
    }

    /** The same, for a reply that says in one of its elements that the call was not executed. */
    final void tryLater(NotExecutedException cause) {
        engine().outage().standstill().await(this::start, untilNanos(), () -> giveUp(cause));
    }

    private long untilNanos() {
        return startedNanos + engine().commandTimeoutNanos();
    }
}
