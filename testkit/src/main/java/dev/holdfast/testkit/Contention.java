package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

/**
 * Many threads that count under one lock. The count is a plain field, so two at once lose some of it; and everybody who
 * enters looks whether somebody else is inside.
 */
final class Contention {
    private static final int PATIENCE_FACTOR = 6;

    private final Stage stage;
    private final int rounds;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<CompletableFuture<?>> runs = new ArrayList<>();

    private int count;

    /** How a thread gets the lock. */
    interface WayIn {
        void lock(Lock lock) throws Exception;
    }

    Contention(Stage stage, int rounds) {
        this.stage = stage;
        this.rounds = rounds;
    }

    /** Adds threads of a client, all of which get the lock this way. */
    Contention threads(int number, LockClient client, WayIn wayIn) {
        for (int i = 0; i < number; i++) {
            Actor actor = stage.actor(client);
            runs.add(actor.begins(() -> count(actor.lock(), wayIn)));
        }
        return this;
    }

    private void count(Lock lock, WayIn wayIn) throws Exception {
        for (int round = 0; round < rounds; round++) {
            wayIn.lock(lock);
            try {
                countOne();
            } finally {
                lock.unlock();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // giving way in the middle is what makes an overlap likely
    private void countOne() {
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        int seen = count;
        Thread.yield();
        count = seen + 1;
        inside.decrementAndGet();
    }

    /** Waits for all of them; nobody was inside with another, and nothing of the count is lost. */
    void verify() {
        CompletableFuture<Void> all = CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new));
        assertThat(all)
                .succeedsWithin(stage.patience().multipliedBy(PATIENCE_FACTOR).toMillis(), TimeUnit.MILLISECONDS);
        assertThat(overlaps).as("overlaps").hasValue(0);
        assertThat(count).as("count").isEqualTo(runs.size() * rounds);
    }
}
