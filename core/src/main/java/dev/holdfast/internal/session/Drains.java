package dev.holdfast.internal.session;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drains that run callbacks on one executor. See {@link Callbacks} for their states, and when there is more than
 * one.
 */
final class Drains {
    private static final Logger log = LoggerFactory.getLogger(Drains.class);

    /** The drains count as blocked if none has taken a callback for this long while one is ready. */
    static final long BLOCKED_NANOS = 1_000_000;

    private static final long SHORTEST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    /**
     * @param task runs on the executor
     * @param onRejected called instead if the executor does not run it
     */
    record Callback(Runnable task, Consumer<Throwable> onRejected) {}

    private final Executor executor;
    private final Executor spare;
    private final Deadlines deadlines;
    private final BiConsumer<Callback, Throwable> refusal;

    private final Queue<Callback> first = new ConcurrentLinkedQueue<>();
    private final Queue<Callback> ready = new ConcurrentLinkedQueue<>();

    /** The number of callbacks in both queues; incremented after the add, decremented after the take. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** The number of drains that the executor has and has not begun. */
    private final AtomicInteger submitted = new AtomicInteger();

    /** Those drains. One that the executor has dropped is garbage collected, and then appears in {@link #collected}. */
    private final Set<Reference<Drain>> tickets = ConcurrentHashMap.newKeySet();

    private final ReferenceQueue<Drain> collected = new ReferenceQueue<>();

    private final AtomicInteger running = new AtomicInteger();

    /** Whether the calling thread is within a drain of this object. */
    private final ThreadLocal<Boolean> draining = new ThreadLocal<>();

    /** The time at which a drain last began or took a callback. */
    private volatile long takenNanos;

    /** Until this time no drain is submitted beside others, since the executor has just rejected one. */
    private volatile long fullUntilNanos;

    /** Whether each drain that takes a callback submits the next: from the detection of a block until none is ready. */
    private volatile boolean relaying;

    /** Whether no callback was ready at some time since the last check. */
    private volatile boolean caughtUp;

    private volatile boolean closed;
    private final Check check = new Check();

    /**
     * @param spare runs tasks that must not wait for the executor, and not on the calling thread
     * @param refusal receives each callback that the executor does not run
     */
    Drains(Executor executor, Executor spare, Deadlines deadlines, BiConsumer<Callback, Throwable> refusal) {
        this.executor = executor;
        this.spare = spare;
        this.deadlines = deadlines;
        this.refusal = refusal;
        this.takenNanos = deadlines.nanoTime();
        this.fullUntilNanos = takenNanos;
    }

    /** Runs the callback after all that are ready. */
    void run(Callback callback) {
        ready.add(callback);
        waiting.incrementAndGet();
        submit(false);
    }

    /** Runs the callback before all others, by a further drain if the running ones are occupied. */
    void runFirst(Callback callback) {
        first.add(callback);
        waiting.incrementAndGet();
        submit(true);
    }

    /** From now on each callback gets a drain of its own: there is no timer any more to find the others blocked. */
    void close() {
        closed = true;
        submit(false);
    }

    private boolean hasReady() {
        return !ready.isEmpty() || !first.isEmpty();
    }

    private void submit(boolean atOnce) {
        if (closed) {
            submitForEach();
            if (hasReady()) {
                check.beginAfterClose();
            }
            return;
        }
        if (submitted.get() == 0) {
            if (running.get() == 0) {
                submit(1);
            } else if (atOnce) {
                submitAnother(1);
            } else if (isBlocked()) {
                relaying = true;
                submitAnother(1);
            }
        }
        if (hasReady()) {
            check.begin();
        }
    }

    private void submitForEach() {
        int most = waiting.get();
        for (int missing = most - submitted.get(); missing > 0 && submit(most); missing--) {
            log.trace("A drain of its own for each callback");
        }
    }

    private boolean isBlocked() {
        return deadlines.nanoTime() - takenNanos >= BLOCKED_NANOS;
    }

    private void submitAnother(int most) {
        if (deadlines.nanoTime() - fullUntilNanos >= 0) {
            submit(most);
        }
    }

    /**
     * Submits a drain, unless the executor has {@code most} drains that have not begun.
     *
     * @return whether the executor accepted one
     */
    private boolean submit(int most) {
        int before = submitted.get();
        while (before < most && !submitted.compareAndSet(before, before + 1)) {
            before = submitted.get();
        }
        if (before >= most) {
            return false;
        }
        Drain drain = new Drain();
        try {
            executor.execute(drain);
            return true;
        } catch (Throwable e) {
            if (drain.isWithdrawn()) {
                rejected(e);
                return false;
            }
            return true;
        }
    }

    /** Another drain, running or submitted, takes the ready callbacks. If there is none, they are rejected. */
    private void rejected(Throwable why) {
        if (submitted.decrementAndGet() == 0 && running.get() == 0) {
            refuseAll(why);
        } else {
            fullUntilNanos = deadlines.nanoTime() + SHORTEST_PAUSE_NANOS;
        }
    }

    private void refuseAll(Throwable why) {
        for (Callback refused = take(); refused != null; refused = take()) {
            refusal.accept(refused, why);
        }
    }

    private @Nullable Callback take() {
        Callback next = first.poll();
        if (next == null) {
            next = ready.poll();
        }
        if (next != null) {
            waiting.decrementAndGet();
        }
        return next;
    }

    /**
     * Isolates a callback: neither its exception nor an interrupt status that it leaves behind affects the next one.
     */
    private static void runAlone(Runnable task) {
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

    /** The task that is submitted to the executor. */
    private final class Drain implements Runnable {
        private final Reference<Drain> ticket = new WeakReference<>(this, collected);

        Drain() {
            tickets.add(ticket);
        }

        /** Withdraws it. False if it has begun, or is known to have been dropped. */
        boolean isWithdrawn() {
            return tickets.remove(ticket);
        }

        /** Does nothing within another drain of the same thread: the outer one continues with the ready callbacks. */
        @Override
        public void run() {
            boolean outermost = draining.get() == null;
            if (outermost) {
                running.incrementAndGet();
                takenNanos = deadlines.nanoTime();
            }
            if (tickets.remove(ticket)) {
                submitted.decrementAndGet();
            }
            if (outermost) {
                draining.set(true);
                try {
                    runReady();
                } finally {
                    draining.remove();
                }
            }
        }

        private void runReady() {
            while (true) {
                for (Callback next = take(); next != null; next = take()) {
                    takenNanos = deadlines.nanoTime();
                    if ((relaying || !first.isEmpty()) && submitted.get() == 0 && hasReady()) {
                        submitAnother(1);
                    }
                    runAlone(next.task());
                }
                caughtUp = true;
                relaying = false;
                running.decrementAndGet();
                // A callback that became ready meanwhile may not have submitted a drain because of this one.
                if (!hasReady()) {
                    return;
                }
                running.incrementAndGet();
            }
        }
    }

    /**
     * Checks periodically, while callbacks are ready, whether they are taken. After the close, without the timer, the
     * ready callbacks are rejected if none was taken for the longest pause between two checks: the executor may have
     * been shut down with drains in its queue.
     */
    private final class Check extends Deadline {
        private final AtomicBoolean watching = new AtomicBoolean();
        private final AtomicBoolean afterClose = new AtomicBoolean();

        // Written before it is scheduled, and then by the thread that runs the check.
        private long takenBefore;
        private long pauseNanos;

        void begin() {
            if (!watching.get() && watching.compareAndSet(false, true)) {
                takenBefore = takenNanos;
                pauseNanos = SHORTEST_PAUSE_NANOS;
                caughtUp = false;
                schedule();
            }
        }

        private void schedule() {
            if (!deadlines.schedule(this, deadlines.nanoTime() + pauseNanos)) {
                beginAfterClose();
            }
        }

        void beginAfterClose() {
            if (!afterClose.get() && afterClose.compareAndSet(false, true)) {
                takenBefore = takenNanos;
                scheduleAfterClose();
            }
        }

        private void scheduleAfterClose() {
            CompletableFuture.delayedExecutor(LONGEST_PAUSE_NANOS, TimeUnit.NANOSECONDS, spare)
                    .execute(this::checkAfterClose);
        }

        @Override
        protected void expired() {
            if (!hasReady()) {
                watching.set(false);
                if (hasReady()) {
                    begin();
                }
                return;
            }
            noteDropped();
            long taken = takenNanos;
            pauseNanos = taken == takenBefore ? Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS) : SHORTEST_PAUSE_NANOS;
            takenBefore = taken;
            boolean blocked = isBlocked();
            if (blocked) {
                relaying = true;
            }
            boolean submits = blocked || !caughtUp;
            caughtUp = false;
            schedule(); // First: a thread that cannot be started must not end the checks.
            if (submits) {
                int most = pauseNanos == LONGEST_PAUSE_NANOS ? Math.max(1, waiting.get()) : 1;
                if (submitted.get() < most) {
                    // Not here: the executor may run a drain on the thread that submits it.
                    spare.execute(() -> submitAnother(Math.min(most, submitted.get() + 1)));
                }
            }
        }

        private void noteDropped() {
            for (Reference<?> dropped = collected.poll(); dropped != null; dropped = collected.poll()) {
                if (tickets.remove(dropped)) {
                    submitted.decrementAndGet();
                }
            }
        }

        private void checkAfterClose() {
            if (!hasReady()) {
                afterClose.set(false);
                if (hasReady()) {
                    beginAfterClose();
                }
                return;
            }
            long taken = takenNanos;
            if (taken == takenBefore) {
                refuseAll(new RejectedExecutionException(
                        "the client is closed, and its callback executor has begun nothing for "
                                + TimeUnit.NANOSECONDS.toMillis(LONGEST_PAUSE_NANOS) + " ms"));
            }
            takenBefore = taken;
            scheduleAfterClose();
        }
    }
}
