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

/** A call that was recorded, and waits for what comes of it. */
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

    /** {@return the same, for a caller that may hold the lock of the other kind} */
    Call thatMayBeRejected() {
        return new Call(diary, op, at, true);
    }

    Op op() {
        return op;
    }

    /** {@return when it was made} */
    long at() {
        return at;
    }

    void granted(long token, int holds) {
        returned(Outcome.GRANTED, token, holds, Loss.NONE);
    }

    void refused() {
        returned(Outcome.REFUSED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    void released(int holds) {
        returned(Outcome.RELEASED, NO_TOKEN, holds, Loss.NONE);
    }

    /** The release was handed over, and nobody waits for its answer. */
    void sent() {
        returned(Outcome.SENT, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    void extended() {
        returned(Outcome.EXTENDED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /**
     * Redis has said who has the lock.
     *
     * @param holds how many levels of the caller's Redis has; 0 if it shows another as the holder, or nobody
     * @param left of the lease that it shows; empty if the key has no expiry
     */
    void inspected(int holds, Optional<Duration> left) {
        if (holds > 0) {
            diary.leaseShown(op, left);
        }
        returned(holds > 0 ? Outcome.SHOWN : Outcome.NOT_SHOWN, NO_TOKEN, holds, Loss.NONE);
    }

    /** Nothing is known of what it did. */
    void failed() {
        returned(Outcome.FAILED, NO_TOKEN, UNKNOWN_HOLDS, Loss.NONE);
    }

    /**
     * It failed in one of the ways that its contract names.
     *
     * @throws IllegalStateException if the contract does not name this way
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
            return Outcome.FAILED;
        } else if (cause instanceof InterruptedException) {
            return Outcome.INTERRUPTED;
        } else if (cause instanceof CancellationException) {
            return Outcome.CANCELLED;
        } else if (cause instanceof IllegalMonitorStateException) {
            return Outcome.NOT_HELD;
        } else if (cause instanceof IllegalStateException && mayBeRejected) {
            return Outcome.REJECTED;
        }
        throw new IllegalStateException(op + " failed in a way that it must not: " + cause, cause);
    }

    private static Throwable cause(Throwable failure) {
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
