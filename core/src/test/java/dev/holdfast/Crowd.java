package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Threads that acquire one lock repeatedly and hold it for about a millisecond each time, until they are stopped. */
public final class Crowd {
    private static final Duration WORK = Duration.ofMillis(1);

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Guarded guarded;
    private final List<CompletableFuture<@Nullable Void>> ends;

    /** One round of a thread: acquires the lock, enters the guarded section, and releases the lock. */
    public interface Round {
        void pass(Runnable work);
    }

    /** @param guarded the section that each of them enters while it holds the lock */
    public Crowd(DistributedLock lock, int threads, Guarded guarded) {
        this(threads, guarded, work -> {
            lock.lock();
            try {
                work.run();
            } finally {
                lock.unlock();
            }
        });
    }

    public Crowd(int threads, Guarded guarded, Round round) {
        this.guarded = guarded;
        this.ends = Stream.generate(() -> begin(round)).limit(threads).toList();
    }

    private CompletableFuture<@Nullable Void> begin(Round round) {
        return FaultyRedis.elsewhere(() -> {
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

    /** Returns when all threads have ended, or throws what the first of them failed with. */
    public void stop() {
        stopped.set(true);
        ends.forEach(FaultyRedis::get);
    }
}
