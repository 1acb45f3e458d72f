package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Threads that want one lock again and again and hold it for about a millisecond each time, until they are stopped. */
final class Crowd {
    private static final Duration WORK = Duration.ofMillis(1);

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Guarded guarded;
    private final List<CompletableFuture<@Nullable Void>> ends;

    /** One round of a thread: takes the lock, enters, and gives it back. */
    interface Round {
        void pass(Runnable work);
    }

    /** @param guarded what each of them enters while it holds the lock */
    Crowd(DistributedLock lock, int threads, Guarded guarded) {
        this(threads, guarded, work -> {
            lock.lock();
            try {
                work.run();
            } finally {
                lock.unlock();
            }
        });
    }

    Crowd(int threads, Guarded guarded, Round round) {
        this.guarded = guarded;
        this.ends = Stream.generate(() -> begin(round)).limit(threads).toList();
    }

    private CompletableFuture<@Nullable Void> begin(Round round) {
        return BadDay.elsewhere(() -> {
            while (!stopped.get()) {
                round.pass(this::work);
            }
            return null;
        });
    }

    private void work() {
        guarded.enter();
        LockSupport.parkNanos(WORK.toNanos());
    }

    /** Comes back when all of them have ended, or fails as the first of them has failed. */
    void stop() {
        stopped.set(true);
        ends.forEach(BadDay::get);
    }
}
