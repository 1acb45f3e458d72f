package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * Something an owner does to a lock by one command. A lane runs one step at a time.
 *
 * <pre>
 *   run() --> sent --- answered, refused ---> Lane.done
 *     ^         |
 *     |         +--- unknown, or not sent ---> AWAITING LINK --- up -------------> run() again
 *     |         |                                   |
 *     |         +--- not executed -----------> AWAITING EXECUTION --- a pause ---> run() again
 *     |                                             |
 *     +---------------------------------------------+--- command timeout ---> giveUp() ---> Lane.done
 * </pre>
 *
 * <p>To send a command again whose outcome is unknown is safe by the rule of scripts. A subclass answers every run by
 * exactly one of {@link #done()} and {@link #tryLater}.
 */
abstract class LaneCommand implements Call.Callback {
    private final OwnerLane lane;

    /** When the step ran first; written by its first run. */
    private long startedNanos;

    private boolean started;

    /** The step that runs after this one. Guarded by the lane. */
    private @Nullable LaneCommand next;

    LaneCommand(OwnerLane lane) {
        this.lane = lane;
    }

    /** Sends the step's command, or finds that there is nothing to send. */
    abstract void run();

    /**
     * No answer could be had for the command timeout, or Redis did not execute the command all that time: tells whoever waits
     * for it, and calls {@link #done()}.
     *
     * @param cause why the last try came to nothing; a {@link NotExecutedException} if Redis did not execute it
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
     * Runs again once there is a connection, or Redis executes commands again; gives up when the command timeout has passed since
     * the first run.
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

    /** The same, where it is an element of the answer that says so. */
    final void tryLater(NotExecutedException cause) {
        engine().outage().standstill().await(this::start, untilNanos(), () -> giveUp(cause));
    }

    private long untilNanos() {
        return startedNanos + engine().commandTimeoutNanos();
    }
}
