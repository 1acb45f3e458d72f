package dev.holdfast.internal.wait;

import dev.holdfast.internal.redis.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handoffs of one lock whose receivers have started and whose replies are outstanding: what the replies mean for the
 * {@link Cohort}, and the repair of the {@link HandoffChain} when the connection is lost.
 *
 * <p>Shares the monitor of its queue.
 */
final class UnansweredHandoffs {
    private final Cohort cohort;
    private final WaitQueue queue;

    /** Guarded by the queue. */
    private final HandoffChain<Handoff> chain;

    UnansweredHandoffs(Cohort cohort, WaitQueue queue, HandoffChain<Handoff> chain) {
        this.cohort = cohort;
        this.queue = queue;
        this.chain = chain;
    }

    /**
     * Adds a handoff whose receiver starts now. Returns false if the connection that it was sent on is lost by now, or
     * the queue is retired.
     */
    boolean extend(Handoff handoff, Call sent) {
        synchronized (queue) {
            boolean there = !queue.isRetired() && queue.home().epochNumber() == sent.epochNumber();
            if (there) {
                chain.add(handoff);
            }
            return there;
        }
    }

    /** The handoff took place. Returns false if that was known, because a later command had proved it. */
    boolean confirmed(Handoff handoff) {
        boolean news;
        boolean over;
        synchronized (queue) {
            news = chain.remove(handoff);
            queue.noteBusy();
            over = cohort.isOver();
        }
        cohort.answered();
        if (over) {
            queue.retireUnlessWanted();
        }
        return news;
    }

    /**
     * The handoff did not take place, and neither will those after it in the chain. Returns false if it is not part of
     * the chain any more.
     */
    boolean refuted(Handoff handoff) {
        boolean news;
        synchronized (queue) {
            news = chain.remove(handoff);
            chain.markBroken();
        }
        cohort.flushDeferred();
        queue.retireUnlessWanted();
        return news;
    }

    /** Removes handoffs whose outcome is known. */
    void forget(List<Handoff> completed) {
        synchronized (queue) {
            completed.forEach(chain::remove);
        }
        cohort.flushDeferred();
        queue.retireUnlessWanted();
    }

    /**
     * A connection is about to accept calls: it begins with the repair of the chain that the last one left unanswered.
     */
    void repair(Consumer<Call> first) {
        List<Handoff> unanswered = unanswered();
        if (!unanswered.isEmpty()) {
            first.accept(new ChainRepair(this, unanswered).call());
        }
    }

    /** {@return the latest handoff from this owner that is in flight; null if there is none} */
    @Nullable
    Handoff latestFrom(long ownerId) {
        synchronized (queue) {
            return chain.latestFrom(ownerId, queue.home().epochNumber());
        }
    }

    /** {@return the outcomes of the releases that were handed off and are unanswered} */
    List<CompletableFuture<@Nullable Void>> outcomes() {
        return unanswered().stream().map(Handoff::outcome).toList();
    }

    private List<Handoff> unanswered() {
        synchronized (queue) {
            return chain.unanswered();
        }
    }

    /** Removes all: they will not be answered any more. Under the monitor. */
    List<Handoff> removeAll() {
        List<Handoff> all = chain.unanswered();
        all.forEach(chain::remove);
        return all;
    }
}
