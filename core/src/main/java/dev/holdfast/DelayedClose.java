package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives up the hold of a handle, but leaves its key in Redis until a given time, so that nobody has the lock before.
 *
 * <pre>
 *              the hold is ended here                  held
 *   WAITING -----------------------------> SENDING ------------> ENDED: who waits here tries, and learns until when to wait
 *      |                                    |  ^  \
 *      |  it was lost before                |  |   \ gone, or another's ---> ENDED: the lease was lost
 *      +---------> ENDED: told so           |  |
 *                                           |  +-- unknown, not sent or not executed; and it may be sent again
 *                                           |
 *                                           +----- refused, or no answer in time ---> ENDED: settled when the time has passed
 * </pre>
 *
 * <p>The time is fixed with the call: what is sent again says how much of it is left, and when nothing is, an ordinary release
 * is sent in its place. Of a command that is never answered it is not known whether the lease is still the longer one that it
 * was, so the tenure is released when the time has passed; not earlier, since others are to be kept out until then.
 *
 * <p>The lock is left with a tenure of its own, newer than the hold's: any other command about the hold comes too late.
 */
final class DelayedClose extends LaneCommand {
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
    private final Hold hold;
    private final long endNanos;
    private final long closed;

    // Of the running step.
    private boolean taken;
    private boolean sentBefore;

    /** The tenure that the last command was about. */
    private long asked;

    private DelayedClose(Hold hold, Duration delay) {
        super(hold.lane());
        this.hold = hold;
        this.endNanos = engine().now() + delay.toNanos();
        this.closed = engine().nextTenure();
    }

    /**
     * Begins to close a hold.
     *
     * @param delay positive
     * @return completes when it is known how that ended, on the thread that learnt it
     */
    static CompletableFuture<@Nullable Void> begin(Hold hold, Duration delay) {
        DelayedClose close = new DelayedClose(hold, delay);
        if (!hold.lane().submit(close)) {
            LeaseLoss lost = hold.lossNow(LossReason.GONE);
            return CompletableFuture.failedFuture(close.failures().lost(hold, lost));
        }
        return close.outcome;
    }

    @Override
    void run() {
        if (!taken && !take()) {
            return;
        }
        long leftNanos = endNanos - engine().now();
        if (leftNanos > 0) {
            asked = hold.tenure();
            long leftMillis = (leftNanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
            engine().send(lock().kind().closeAfter(hold, closed, leftMillis, this));
        } else {
            asked = sentBefore ? closed : hold.tenure();
            engine().send(lock().kind().release(lock(), lane().ownerField(), asked, 0, this));
        }
    }

    /** Ends the hold here. False if it was lost before, and the caller has been told. */
    private boolean take() {
        taken = true;
        hold.lease().expireIfDue();
        hold.leave(hold.levels());
        lane().remove(hold);
        hold.cancelInterrupt();
        if (hold.lease().end()) {
            return true;
        }
        LeaseLoss lost = hold.lossNow(LossReason.EXPIRED);
        if (lost.mayStillBeInRedis()) {
            lane().noteOrphan(hold);
        }
        fail(failures().lost(hold, lost));
        return false;
    }

    @Override
    public void completed(Call call) {
        switch (LockAnswer.of(call, asked).kind()) {
            case HELD -> {
                engine().refusals().noteUnannounced(call, lock());
                succeed();
            }
            case BUSY -> gone(LossReason.TAKEN);
            case GONE, LATE -> gone(LossReason.GONE);
            case REFUSED -> {
                settleAtEnd();
                done();
                nobodyHoldsIt();
                engine().refusals().explain(call, lane(), outcome::completeExceptionally);
            }
            case UNKNOWN -> {
                sentBefore = true;
                tryLater(call);
            }
            case NOT_EXECUTED, NOT_SENT -> tryLater(call);
        }
    }

    @Override
    void giveUp(Throwable cause) {
        settleAtEnd();
        fail(failures().releaseUnanswered(lane(), cause));
    }

    /** What Redis has of it by then, be it the hold or what was left of that, is released. */
    private void settleAtEnd() {
        Deadline end = new Deadline() {
            @Override
            protected void expired() {
                engine().lanes()
                        .submit(
                                lock(),
                                lane().ownerId(),
                                lane -> new OrphanRelease(lane, closed, hold.latestEndNanos()));
            }
        };
        engine().deadlines().schedule(end, endNanos);
    }

    /** Of what was sent before, that may be because it did its work, and the time has passed. */
    private void gone(LossReason reason) {
        if (sentBefore) {
            succeed();
            return;
        }
        LeaseLoss loss = hold.lossNow(reason);
        engine().onLost(hold, loss);
        fail(failures().lost(hold, loss));
    }

    private void succeed() {
        engine().notices().released(hold);
        done();
        nobodyHoldsIt();
        outcome.complete(null);
    }

    /** Those of this client who wait for the hold to be released or handed on have nobody to wait for but the end. */
    private void nobodyHoldsIt() {
        engine().queues().lost(hold);
    }

    private void fail(RuntimeException why) {
        done();
        nobodyHoldsIt();
        outcome.completeExceptionally(why);
    }

    @Override
    public String toString() {
        return "delayed close of " + hold;
    }
}
