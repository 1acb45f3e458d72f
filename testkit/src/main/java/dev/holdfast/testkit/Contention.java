package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

/**
 * Many threads that count under one lock. The count is a plain field, so two threads at once lose counts; and each
 * checks on entry whether another is inside.
 */
final class Contention {
    private static final int PATIENCE_FACTOR = 6;

    private final Stage stage;
    private final int rounds;
    private final CountDownLatch start = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<CompletableFuture<?>> runs = new ArrayList<>();

    private int count;

    /** How a thread acquires the lock. */
    interface WayIn {
        void lock(Lock lock) throws Exception;
    }

    Contention(Stage stage, int rounds) {
        this.stage = stage;
        this.rounds = rounds;
    }

    /** Adds threads of a client, all of which acquire the lock in this way. */
    Contention threads(int number, LockClient client, WayIn wayIn) {
        for (int i = 0; i < number; i++) {
            Actor actor = stage.actor(client);
            runs.add(actor.begins(() -> count(actor.lock(), wayIn)));
        }
        return this;
    }

    private void count(Lock lock, WayIn wayIn) throws Exception {
        start.await();
        for (int round = 0; round < rounds; round++) {
            wayIn.lock(lock);
            try {
                countOne();
            } finally {
                lock.unlock();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding in the middle makes an overlap likely
    private void countOne() {
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        int seen = count;
        Thread.yield();
        count = seen + 1;
        inside.decrementAndGet();
    }

    /**
     * Starts all threads at once and waits for them; checks that one at a time was inside, and that no count is lost.
     */
    void verify() {
        start.countDown();
        CompletableFuture<Void> all = CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new));
        assertThat(all)
                .succeedsWithin(stage.patience().multipliedBy(PATIENCE_FACTOR).toMillis(), TimeUnit.MILLISECONDS);
        assertThat(overlaps).as("overlaps").hasValue(0);
        assertThat(count).as("count").isEqualTo(runs.size() * rounds);
    }
}
