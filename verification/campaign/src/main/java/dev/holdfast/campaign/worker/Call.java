package dev.holdfast.campaign.worker;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** A recorded call whose outcome is still to be recorded. */
final class Call {
    private static final long NO_TOKEN = 0;
    private static final int UNKNOWN_HOLDS = 0;

    private final Diary diary;
    private final Op op;
    private final long at;
    private final boolean mayBeRejected;

    Call(Diary diary, Op op, long at) {
        this(diary, op, at, false);
    }

    private Call(Diary diary, Op op, long at, boolean mayBeRejected) {
        this.diary = diary;
        this.op = op;
        this.at = at;
        this.mayBeRejected = mayBeRejected;
    }

    /** {@return the same call, for an owner that may have the lock of the other kind} */
    Call thatMayBeRejected() {
        return new Call(diary, op, at, true);
    }

    Op op() {
        return op;
    }

    /** {@return the time of the call} */
    long at() {
        return at;
    }

    void granted(long token, int holds) {
        returned(Outcome.GRANTED, token, holds, Loss.NONE);
    }

    void refused() {
        returned(Outcome.REFUSED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /** It ended without this lock, which was requested together with others. */
    void missed() {
        returned(Outcome.MISSED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    void released(int holds) {
        returned(Outcome.RELEASED, NO_TOKEN, holds, Loss.NONE);
    }

    /** The release was sent, and its reply is not awaited. */
    void sent() {
        returned(Outcome.SENT, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    void extended() {
        returned(Outcome.EXTENDED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /**
     * Redis has shown the holder of the lock.
     *
     * @param holds the number of levels that Redis shows for the caller; 0 if it shows another holder, or none
     * @param left what is left of the lease; empty if the key has no expiry
     */
    void inspected(int holds, Optional<Duration> left) {
        if (holds > 0) {
            diary.leaseShown(op, left);
        }
        returned(holds > 0 ? Outcome.SHOWN : Outcome.NOT_SHOWN, NO_TOKEN, holds, Loss.NONE);
    }

    /** The latch has this count, which the call has set; or it has been counted down, or is open. */
    void done(int count) {
        returned(Outcome.DONE, NO_TOKEN, count, Loss.NONE);
    }

    /** The latch has a count. */
    void counting() {
        returned(Outcome.COUNTING, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /** The count of the latch was deleted, or has expired. */
    void gone() {
        returned(Outcome.GONE, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /** The effect of the call is unknown. */
    void failed() {
        returned(Outcome.FAILED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /**
     * The call threw.
     *
     * @throws IllegalStateException if the contract of the call does not name this exception
     */
    void threw(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof LeaseLostException lost) {
            returned(Outcome.LOST, NO_TOKEN, UNKNOWN_HOLDS, loss(lost.reason()));
        } else {
            returned(outcome(cause), NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
        }
    }

    private Outcome outcome(Throwable cause) {
        if (cause instanceof LockException) {
            return diary.isClosing() ? Outcome.CLOSED : Outcome.FAILED;
        } else if (cause instanceof InterruptedException) {
            return Outcome.INTERRUPTED;
        } else if (cause instanceof CancellationException) {
            return Outcome.CANCELLED;
        } else if (cause instanceof IllegalMonitorStateException) {
            return Outcome.NOT_HELD;
        } else if (cause instanceof IllegalStateException && diary.isClosing()) {
            return Outcome.CLOSED;
        } else if (cause instanceof IllegalStateException && mayBeRejected) {
            return Outcome.REJECTED;
        }
        throw new IllegalStateException(op + " failed in a way that its contract does not name: " + cause, cause);
    }

    /** {@return the failure of a call, without the exceptions of the future that contain it} */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        return wrapped && cause != null ? cause(cause) : failure;
    }

    static Loss loss(LossReason reason) {
        return Loss.valueOf(reason.name());
    }

    private void returned(Outcome outcome, long token, int holds, Loss loss) {
        diary.write(new Event.Returned(System.nanoTime(), op, outcome, token, holds, loss));
    }
}
