package dev.holdfast.internal.condition;

import dev.holdfast.internal.condition.ConditionScripts.Wait;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for a condition, from just before it releases the lock until it is to have it again.
 *
 * <pre>
 *             a message has signalled it
 *   WAITING ----------------------------------------------------------------------> SIGNALLED
 *    |  |  \--- woken in doubt: roused; missing in its wait set; its command may not have been executed; the lock has moved -> ROUSED
 *    |  |   \-- the release has found the hold lost -----------------------------> LOST
 *    |  |    \- refused by Redis, or the client is being closed -----------------> FAILED
 *    |  |
 *    |  | its time is over, it is interrupted, or it has waited for a minute: it leaves its wait set
 *    |  v
 *   LEAVING --- it was in its wait set ------------------------------------------> TIMED_OUT, INTERRUPTED, ROUSED
 *       |  \--- it was not, or a message has signalled it since ---------------> SIGNALLED
 *       \------ that cannot be known -------------------------------------------> ROUSED
 * </pre>
 *
 * <p>One script decides between a signal and the end of a wait, so that no signal is received by one that has left, or by two. A waiter
 * holds nothing.
 */
abstract class ConditionWaiter extends Deadline {
    /** How a wait has ended. */
    enum End {
        /** It has not. */
        WAITING,
        SIGNALLED,
        ROUSED,
        TIMED_OUT,
        INTERRUPTED,
        LOST,
        FAILED
    }

    /**
     * A wait ends after this time, and up to a quarter more, although nothing is known to be wrong: a holder may have died between
     * its change and its signal.
     */
    private static final Duration LAST_RESORT = Duration.ofMinutes(1);

    private static final AtomicReferenceFieldUpdater<ConditionWaiter, End> END =
            AtomicReferenceFieldUpdater.newUpdater(ConditionWaiter.class, End.class, "end");

    private final ConditionSet set;
    private final Session session;
    private final Wait wait;
    private final long endNanos;
    private final boolean endsByTime;

    private volatile End end = End.WAITING;

    /** Completed once it has ended, and what follows from that is under way. */
    private final CompletableFuture<End> over = new CompletableFuture<>();

    /** Completed when it is known whether it is in its wait set, or that this will not be known. */
    private final CompletableFuture<Boolean> registered = new CompletableFuture<>();

    /** Why the wait has failed; written before it ends. */
    private volatile @Nullable RuntimeException failure;

    ConditionWaiter(ConditionSet set, Wait wait, long waitNanos) {
        this.set = set;
        this.session = set.session();
        this.wait = wait;
        long lastResortNanos = lastResortNanos();
        this.endsByTime = waitNanos <= lastResortNanos;
        this.endNanos = session.now() + Math.min(waitNanos, lastResortNanos);
    }

    /** It has ended, on any thread; its own has not been woken for that. Nothing else makes it end. */
    abstract void ended();

    private static long lastResortNanos() {
        long least = LAST_RESORT.toNanos();
        return least + ThreadLocalRandom.current().nextLong(least / 4);
    }

    /** {@return the wait, as Redis knows it} */
    Wait asWait() {
        return wait;
    }

    // --- For the thread.

    /** Has it end when its time is over. */
    private void arm() {
        session.deadlines().schedule(this, endNanos);
        if (hasEnded()) {
            session.deadlines().cancel(this);
        }
    }

    /**
     * Blocks until the wait has ended. An interrupt ends it only if that is {@code interruptible}; otherwise, and if it has ended
     * before, the interrupt status is left set.
     */
    End join(boolean interruptible) {
        FlightEvents.Span recorded = FlightEvents.conditionAwait(
                set.key().name(), wait.condition(), session.owners().clientId());
        if (interruptible) {
            Blocking.untilInterrupted(over);
            if (!hasEnded()) {
                leave(End.INTERRUPTED);
            }
        }
        End how = Blocking.forResult(over);
        session.deadlines().cancel(this);
        recorded.end(how.name());
        if (how == End.ROUSED || how == End.LOST || how == End.FAILED) {
            leaveNothing();
        }
        return how;
    }

    /** Its entry may have remained. A signal to it would be lost once its client is no longer registered. */
    private void leaveNothing() {
        CompletableFuture<Boolean> unused = set.leave(wait);
    }

    /** {@return why it has failed; null if it has not} */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    // --- What ends it.

    /** {@return false if it has ended before} */
    private boolean end(End how) {
        boolean first = END.compareAndSet(this, End.WAITING, how);
        if (first) {
            try {
                ended();
            } finally {
                over.complete(how);
            }
        }
        return first;
    }

    /** {@return false if it has ended before} */
    boolean signalled() {
        return end(End.SIGNALLED);
    }

    /** {@return whether it has ended so that its thread goes on as one that was signalled} */
    boolean isWoken() {
        End how = end;
        return how == End.SIGNALLED || how == End.ROUSED;
    }

    /** Runs this once the wait has ended, and what follows from that is under way. */
    @SuppressWarnings("FutureReturnValueIgnored") // it does not fail
    final void whenOver(Runnable action) {
        over.thenRun(action);
    }

    /** {@return whether the release has found the hold lost} */
    boolean isLost() {
        return end == End.LOST;
    }

    private boolean hasEnded() {
        return end != End.WAITING;
    }

    /** A signal may have been lost. */
    void roused() {
        if (end(End.ROUSED)) {
            session.events().spuriouslyWoken();
        }
    }

    void lost() {
        registered.complete(false);
        end(End.LOST);
    }

    void failed(RuntimeException why) {
        failure = why;
        end(End.FAILED);
    }

    /** It is in its wait set. */
    void registered() {
        registered.complete(true);
        arm();
    }

    boolean isRegistered() {
        return registered.getNow(false) && !hasEnded();
    }

    /** It may not be in its wait set: its command found another holder, was refused, or not executed as far as is known. */
    void doubted(Call sent) {
        registered.complete(false);
        if (sent.outcome() == Call.Outcome.ANSWERED) {
            lost();
        } else if (sent.outcome() == Call.Outcome.REFUSED && !sent.error().startsWith("NOSCRIPT")) {
            set.home().errors().explain(sent, set.key(), set.key().subject(), this::failed);
        } else {
            roused();
        }
    }

    @Override
    protected void expired() {
        leave(endsByTime ? End.TIMED_OUT : End.ROUSED);
    }

    /** Leaves its wait set, once it is in it; if it was signalled before, that counts. */
    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    private void leave(End why) {
        registered.whenComplete((isThere, never) -> {
            if (!hasEnded()) {
                leaveNow(why);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    private void leaveNow(End why) {
        set.leave(wait).whenComplete((wasThere, failed) -> {
            if (failed != null) {
                // It may have been signalled, and nobody else was: it wakes as well.
                set.rouseAll();
            } else if (!wasThere) {
                set.signalledBefore(this);
            } else if (end(why) && why == End.ROUSED) {
                session.events().wokenAsLastResort();
            }
        });
    }
}
