package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.session.Session;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Extends the lease of one hold to at least a length from the time when it is sent, or to a point in time. If that is a part of
 * another hold in Redis, the other one is extended, in its lane, and the part with it.
 *
 * @see "LeaseTest, DoubtfulAnswerTest"
 */
public final class Extension extends LaneCommand {
    private final CompletableFuture<@Nullable Void> outcome;

    /** The hold that Redis knows. */
    private final Hold hold;

    /** What is a part of it; the same one if it is not shared. */
    private final Hold part;

    /** In milliseconds, from now on; computed when the command is sent. 0 if it is not needed any more. */
    private final LongSupplier lease;

    /** The lease that the present run requests. */
    private long leaseMillis;

    private Extension(Hold hold, Hold part, LongSupplier lease, CompletableFuture<@Nullable Void> outcome) {
        super(hold.lane());
        this.hold = hold;
        this.part = part;
        this.lease = lease;
        this.outcome = outcome;
    }

    /** {@return completes with the outcome, on the thread that decided it} */
    public static CompletableFuture<@Nullable Void> begin(Hold hold, LeaseRequest lease) {
        return begin(hold, lease::millis);
    }

    /**
     * Extends it to this time, however long the command waits in its lane.
     *
     * @return completes with the outcome, on the thread that decided it
     */
    public static CompletableFuture<@Nullable Void> beginUntil(Hold hold, long untilNanos) {
        Session session = hold.lane().registry().session();
        return begin(hold, () -> LeaseRequest.millisOf(Math.max(1, untilNanos - session.now())));
    }

    /**
     * Has Redis confirm the hold, without a longer lease than its owner has requested: a watched one, or the rest of an
     * explicit one.
     *
     * @return completes with the outcome, on the thread that decided it
     */
    public static CompletableFuture<@Nullable Void> confirm(Hold hold) {
        return hold.isWatched()
                ? begin(hold, hold.lane().registry().watchedLease())
                : beginUntil(hold, hold.lease().validUntilNanos());
    }

    /**
     * Extends it by as much as is wanted when the hold's commands before this one have ended.
     *
     * @param lease in milliseconds; 0 if no command is needed, since the hold is known to last long enough by then
     * @return completes with the outcome, on the thread that decided it
     */
    public static CompletableFuture<@Nullable Void> begin(Hold part, LongSupplier lease) {
        CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
        Hold hold = part.inRedis();
        if (!hold.lane().submit(new Extension(hold, part, lease, outcome))) {
            outcome.completeExceptionally(part.exceptionForEnd());
        }
        return outcome;
    }

    @Override
    protected void run() {
        leaseMillis = lease.getAsLong();
        if (leaseMillis == 0) {
            done();
            outcome.complete(null);
            return;
        }
        // Before the check: OwnerLane.forget does the two in the opposite order.
        hold.extensionSent(session().now() + TimeUnit.MILLISECONDS.toNanos(leaseMillis));
        LeaseLoss lost = hold.loss();
        if (lost != null || lane().top() != hold || isPartOver()) {
            fail(lost == null ? part.exceptionForEnd() : part.exceptionFor(lost));
            return;
        }
        send(lock().kind().renew(List.of(hold.claim(leaseMillis)), this).replicated());
    }

    @Override
    protected void returned(Call call) {
        hold.extensionAnswered(call);
    }

    @Override
    protected Answer read(Call call) {
        return isAnswered(call) ? Answer.ofElement(element(call), hold.tenure()) : Answer.of(call, hold.tenure());
    }

    private static boolean isAnswered(Call call) {
        return call.outcome() == Call.Outcome.ANSWERED;
    }

    private static Object element(Call answered) {
        return answered.elements().get(0);
    }

    @Override
    protected void held(Call call, Answer answer) {
        long leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        whenBelieved(call, leaseNanos, () -> extended(call.sentNanos()), this::giveUp);
    }

    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        hold.lose(reason);
        fail(whyOver(reason));
    }

    /** If the reply has the error in its element, the script can run, but Redis refuses what it writes: the hold is as before. */
    @Override
    protected void refused(Call call, Answer answer) {
        done();
        if (isAnswered(call)) {
            String error = element(call).toString();
            home().errors().explain(error, lock(), part.lane().toString(), outcome::completeExceptionally);
        } else {
            home().errors().explain(call, lock(), part.lane().toString(), outcome::completeExceptionally);
        }
    }

    @Override
    protected void ineffective(Call call) {
        NotExecutedException ofElement =
                isAnswered(call) ? NotExecutedException.of(element(call).toString()) : null;
        if (ofElement == null) {
            tryLater(call, this::giveUp);
        } else {
            tryLater(ofElement, this::giveUp);
        }
    }

    /**
     * The reply may arrive when the hold is lost already, and its owner has been notified or is about to be. Then Redis
     * has the hold for all the longer, although no caller wants it.
     */
    private void extended(long sentNanos) {
        hold.confirmedWhileHome(sentTo());
        long leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        boolean isKept = hold.lease().confirmed(sentNanos, leaseNanos);
        if (!isKept) {
            lane().takeBack(hold);
        }
        if (isKept && (part == hold || part.lease().confirmed(sentNanos, leaseNanos))) {
            holds().verifyIfMoved(hold);
            done();
            outcome.complete(null);
        } else {
            fail(whyOver(LossReason.EXPIRED));
        }
    }

    /** A part may have been released in the meantime, since that takes no command: it is not lost then. */
    private RuntimeException whyOver(LossReason reason) {
        return part.levels() == 0 ? part.exceptionForEnd() : part.exceptionFor(part.lossNow(reason));
    }

    private boolean isPartOver() {
        return part != hold && (part.loss() != null || part.lane().top() != part);
    }

    @Override
    protected void giveUp(Throwable cause) {
        fail(exceptions().extensionUnanswered(part.lock(), part.ownerId(), waitedNanos(), cause));
    }

    private void fail(RuntimeException why) {
        done();
        outcome.completeExceptionally(why);
    }
}
