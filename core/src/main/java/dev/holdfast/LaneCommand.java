package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.NotExecutedException;
import java.util.function.Consumer;
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

    final Holds holds() {
        return lane.of();
    }

    final Session session() {
        return lane.of().session();
    }

    final Home home() {
        return lane.of().home();
    }

    final Successors successors() {
        return lane.of().successors();
    }

    final LockExceptions exceptions() {
        return session().exceptions();
    }

    /** Reports why Redis refused a call of this command, once that is known. */
    final void explain(Call refused, Consumer<? super RuntimeException> to) {
        home().errors().explain(refused, lock(), lane.toString(), to);
    }

    final LockKey lock() {
        return lane.lock();
    }

    final void start() {
        if (!started) {
            started = true;
            startedNanos = session().now();
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
        home().noteOutcome(failed);
        Throwable cause = failed.cause();
        home().connectionWait()
                .await(
                        failed,
                        this::start,
                        untilNanos(),
                        () -> giveUp(cause == null ? new IllegalStateException("no cause") : cause));
    }

    /** The same, for a reply that says in one of its elements that the call was not executed. */
    final void tryLater(NotExecutedException cause) {
        home().connectionWait().standstill().await(this::start, untilNanos(), () -> giveUp(cause));
    }

    private long untilNanos() {
        return startedNanos + session().commandTimeoutNanos();
    }
}
