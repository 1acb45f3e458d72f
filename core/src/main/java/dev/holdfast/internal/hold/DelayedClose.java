package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends the hold of a handle, but leaves its key in Redis until a given time, so that no owner gets the lock before.
 *
 * <pre>
 *              the hold is ended locally               HELD
 *   WAITING -----------------------------> SENDING ------------> ENDED: local waiters try, and the reply has the lease end
 *      |                                    |  ^  \
 *      |  it was lost before                |  |   \ GONE, LATE or BUSY ---> ENDED: the lease was lost
 *      +---------> ENDED: fails             |  |
 *                                           |  +-- UNKNOWN, NOT_SENT or NOT_EXECUTED: sent again within the timeout
 *                                           |
 *                                           +----- REFUSED, or no answer in time ---> ENDED: released after the delay
 * </pre>
 *
 * <p>The end of the delay is fixed by the call: a command that is sent again has the rest of it, and when none
 * is left, an ordinary release is sent instead. If the command is never answered, the key may still have its former
 * lease. If that is longer, the tenure is released when the delay has passed, and not earlier, since other owners are
 * kept out until then. If it is shorter, nothing is left to be released at its end.
 *
 * <p>Where locks are replicated, the key is kept only once enough replicas have it, as with a grant.
 *
 * <p>The key is left with a tenure of its own, newer than the hold's: any other command for the hold is late and has no
 * effect.
 */
public final class DelayedClose extends LaneCommand {
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
    private final Hold hold;
    private final long endNanos;
    private final long closed;

    // Used by the running command only.
    private boolean taken;

    /** Whether the hold was not known to be lost when it was ended, but did not count as valid either. */
    private boolean inDoubt;

    private boolean sentBefore;

    /** The tenure in the last command. */
    private long sentTenure;

    private DelayedClose(Hold hold, Duration delay) {
        super(hold.lane());
        this.hold = hold;
        this.endNanos = session().now() + delay.toNanos();
        this.closed = session().nextTenure();
    }

    /**
     * Begins to close a hold.
     *
     * @param delay positive
     * @return completes with the outcome, on the thread that received it
     */
    public static CompletableFuture<@Nullable Void> begin(Hold hold, Duration delay) {
        DelayedClose close = new DelayedClose(hold, delay);
        if (!hold.lane().submit(close)) {
            LeaseLoss lost = hold.lossNow(LossReason.GONE);
            return CompletableFuture.failedFuture(close.hold.exceptionFor(lost));
        }
        return close.outcome;
    }

    @Override
    protected void run() {
        if (!taken && !take()) {
            return;
        }
        long leftNanos = endNanos - session().now();
        if (leftNanos > 0) {
            long leftMillis = (leftNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
            sentTenure = hold.tenure();
            send(lock().kind().closeAfter(hold.claim(leftMillis), closed, this).replicated());
        } else {
            sentTenure = sentBefore ? closed : hold.tenure();
            sendRelease(claim(sentTenure, 0, 0));
        }
    }

    /** Ends the hold locally. False if it was lost before; the outcome has failed then. */
    private boolean take() {
        taken = true;
        hold.lease().expireIfDue();
        inDoubt = hold.loss() == null && !hold.isValid();
        hold.leaveNewest();
        LeaseLoss lost = hold.end();
        hold.cancelInterrupt();
        if (lost != null) {
            fail(hold.exceptionFor(lost));
        }
        return lost == null;
    }

    @Override
    Hold ending() {
        return hold;
    }

    @Override
    protected Answer read(Call call) {
        return Answer.of(call, sentTenure);
    }

    @Override
    protected void held(Call call, Answer answer) {
        home().errors().notePublication(lock(), Publication.of(call));
        succeed();
    }

    @Override
    protected void refused(Call call, Answer answer) {
        releaseAtEnd();
        done();
        wakeWaiters();
        explain(call, why -> unconfirmed(why, !LockExceptions.isOfOtherProgram(call)));
    }

    @Override
    protected void unknown(Call call) {
        sentBefore = true;
        tryLater(call, this::giveUp);
    }

    @Override
    protected void giveUp(Throwable cause) {
        releaseAtEnd();
        done();
        wakeWaiters();
        unconfirmed(exceptions().delayUnanswered(lock(), lane().ownerId(), waitedNanos(), cause), true);
    }

    /** @param wasHeld whether nothing but the release is in question */
    private void unconfirmed(RuntimeException why, boolean wasHeld) {
        RuntimeException failure = wasHeld && !inDoubt ? LockExceptions.unconfirmed(why) : why;
        holds().unconfirmed(hold, failure);
        outcome.completeExceptionally(failure);
    }

    /** Releases, when the delay has passed, what Redis may have for longer than that: the hold with its former lease. */
    private void releaseAtEnd() {
        if (hold.latestEndNanos() - endNanos <= 0) {
            return;
        }
        Deadline end = Deadline.of(() -> holds().locks()
                .submit(lock(), lane().ownerId(), lane -> new OrphanRelease(lane, closed, hold.latestEndNanos())));
        session().deadlines().schedule(end, endNanos);
    }

    /**
     * Redis does not keep the key for this owner. That is a loss as long as the delay lasts, whatever was sent before;
     * after it, a command without an answer may have been executed, and the key has expired as it should. If the hold was in
     * doubt, it may have been gone before that command.
     */
    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        if (sentBefore && !inDoubt && endNanos - session().now() <= 0) {
            succeed();
            return;
        }
        LeaseLoss loss = hold.lossNow(reason);
        holds().onLost(hold, loss);
        fail(hold.exceptionFor(loss));
    }

    private void succeed() {
        holds().releaseConfirmed(sentTo());
        session().events().released(lock(), lane().ownerId(), hold.sinceNanos());
        hold.endRecord("RELEASED");
        done();
        wakeWaiters();
        outcome.complete(null);
    }

    /**
     * Wakes the local waiters: this hold will be neither released nor handed off, so they wait for the end of the
     * lease.
     */
    private void wakeWaiters() {
        lane().local().lost(hold);
    }

    private void fail(RuntimeException why) {
        done();
        wakeWaiters();
        outcome.completeExceptionally(why);
    }

    @Override
    public String toString() {
        return "delayed close of " + hold;
    }
}
