package dev.holdfast;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where code of users runs: on their executor, never on a thread of the driver or the timer.
 *
 * <p>An executor may make a thread for each task it is given, as the default one does on a small machine. So it is not given
 * each callback, but a <em>drain</em>, which runs what is ready until nothing is:
 *
 * <pre>
 *           a callback is ready,                     the executor
 *           and no drain is asked for or runs        begins
 *   NONE -------------------------------> ASKED FOR ---------------> RUNNING
 *     ^                                     |    ^                      |
 *     |  the executor refuses: all that     |    |  a stall, or many    |
 *     +-- is ready is refused with it ------+    +-- callbacks wait ----+ (another one)
 *     |                                                                 |
 *     +---------------- nothing is ready -------------------------------+
 * </pre>
 *
 * <p>A callback may block, even on another that is ready behind it. So while something is ready a deadline looks now and
 * then whether any callback was begun since. If none was, that is a stall, and another drain is asked for: which helps if
 * the drains are blocked or busy, and also if the executor has silently dropped one. Each time in a row it waits twice as
 * long, up to a second, lest a slow executor be buried. An executor that runs tasks on the calling thread runs a callback
 * that became ready within a callback after it, not inside.
 */
final class Callbacks {
    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);

    /** How many callbacks one drain is thought to have before it, as long as there are processors for more drains. */
    private static final int FOR_ONE = 64;

    private static final long SHORTEST_STALL_NANOS = 10_000_000;
    private static final long LONGEST_STALL_NANOS = 1_000_000_000;

    private final Executor executor;
    private final Deadlines deadlines;
    private final Queue<Callback> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Whether the executor has a drain that has not begun, as far as is known: it may have dropped it. */
    private final AtomicBoolean asked = new AtomicBoolean();

    private final AtomicInteger running = new AtomicInteger();
    private final Stall stall = new Stall();

    /** How many callbacks were begun. */
    private final LongAdder begun = new LongAdder();

    private record Callback(Runnable task, Consumer<Throwable> onRejected) {}

    Callbacks(Executor executor, Deadlines deadlines) {
        this.executor = executor;
        this.deadlines = deadlines;
    }

    /** Completes a future that users attach to; on the common pool if the executor refuses to. */
    <T> void complete(CompletableFuture<T> future, T value) {
        run(() -> future.complete(value), why -> future.complete(value));
    }

    /** {@return a future for users, which ends like the given one, but on the executor} */
    @SuppressWarnings("FutureReturnValueIgnored") // what it fails with goes to the outer one
    <T extends @Nullable Object> CompletableFuture<T> forUsers(CompletionStage<? extends T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        inner.whenComplete((value, failure) -> {
            Runnable end = () -> end(outer, value, unwrapped(failure));
            run(end, why -> end.run());
        });
        return outer;
    }

    /** A stage that depends on a failed one wraps what that failed with; users are to see the thing itself. */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static <T extends @Nullable Object> void end(
            CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /**
     * Has the task run by the executor, together with others that are ready.
     *
     * @param onRejected called instead, on the common pool, if the executor refuses it, in whatever way
     */
    void run(Runnable task, Consumer<Throwable> onRejected) {
        ready.add(new Callback(task, onRejected));
        int waitingNow = waiting.incrementAndGet();
        int drains = running.get();
        if (drains == 0 || (waitingNow > drains * FOR_ONE && drains < ForkJoinPool.getCommonPoolParallelism())) {
            if (asked.compareAndSet(false, true)) {
                ask(drains == 0);
            }
        }
        if (!ready.isEmpty()) {
            stall.watch();
        }
    }

    /** @param alone whether what is ready depends on this drain, and is refused with it */
    private void ask(boolean alone) {
        try {
            executor.execute(this::drain);
        } catch (Throwable e) {
            asked.set(false);
            if (alone) {
                refuse(e);
            }
        }
    }

    private void refuse(Throwable why) {
        for (Callback refused = take(); refused != null; refused = take()) {
            Consumer<Throwable> onRejected = refused.onRejected;
            ForkJoinPool.commonPool().execute(() -> onRejected.accept(why));
        }
    }

    private void drain() {
        asked.set(false);
        do {
            running.incrementAndGet();
            for (Callback next = take(); next != null; next = take()) {
                begun.increment();
                run(next.task);
            }
            running.decrementAndGet();
            // What became ready meanwhile counted on this drain.
        } while (!ready.isEmpty() && running.get() == 0);
    }

    private @Nullable Callback take() {
        Callback next = ready.poll();
        if (next != null) {
            waiting.decrementAndGet();
        }
        return next;
    }

    /** Neither what a callback throws nor an interrupt that it leaves behind is for the next one. */
    private static void run(Runnable task) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            task.run();
        } catch (Throwable e) {
            log.warn("A callback threw", e);
        }
        if (!interrupted) {
            Thread.interrupted();
        }
    }

    /** Looks, while something is ready, whether callbacks are begun at all. */
    private final class Stall extends Deadline {
        private final AtomicBoolean watching = new AtomicBoolean();

        // Written before it is scheduled, and by the timer's thread after that.
        private long begunBefore;
        private long pauseNanos;

        void watch() {
            if (!watching.get() && watching.compareAndSet(false, true)) {
                begunBefore = begun.sum();
                pauseNanos = SHORTEST_STALL_NANOS;
                schedule();
            }
        }

        private void schedule() {
            if (!deadlines.schedule(this, deadlines.nanoTime() + pauseNanos)) {
                watching.set(false);
            }
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // a refusal goes to those who are refused
        protected void expired() {
            if (ready.isEmpty()) {
                watching.set(false);
                if (!ready.isEmpty()) {
                    watch();
                }
                return;
            }
            long begunNow = begun.sum();
            boolean stalled = begunNow == begunBefore;
            begunBefore = begunNow;
            pauseNanos = stalled ? Math.min(2 * pauseNanos, LONGEST_STALL_NANOS) : SHORTEST_STALL_NANOS;
            if (stalled) {
                asked.set(true);
                // Not here: the executor may run a drain on the thread that asks.
                CompletableFuture.runAsync(() -> ask(true));
            }
            schedule();
        }
    }
}
