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
    private static final int TIMEOUT_FACTOR = 6;

    private final Stage stage;
    private final int rounds;
    private final CountDownLatch start = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<Counter> counters = new ArrayList<>();
    private final List<CompletableFuture<?>> runs = new ArrayList<>();

    private int count;

    /** A thread that counts. */
    private static final class Counter {
        private final LockClient client;
        private final Actor actor;
        private volatile boolean began;

        Counter(LockClient client, Actor actor) {
            this.client = client;
            this.actor = actor;
        }

        boolean waits() {
            return began && actor.isWaiting();
        }
    }

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
            Counter counter = new Counter(client, stage.actor(client));
            counters.add(counter);
            runs.add(counter.actor.begins(() -> count(counter, wayIn)));
        }
        return this;
    }

    private void count(Counter self, WayIn wayIn) throws Exception {
        Lock lock = self.actor.lock();
        start.await();
        self.began = true;
        for (int round = 0; round < rounds; round++) {
            wayIn.lock(lock);
            try {
                countOne(self);
            } finally {
                lock.unlock();
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding in the middle makes an overlap likely
    private void countOne(Counter self) {
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        int seen = count;
        if (seen == 0) {
            awaitOthers(self);
        }
        Thread.yield();
        count = seen + 1;
        inside.decrementAndGet();
    }

    /**
     * The first holder stays until threads of all clients wait for the lock: on a busy machine the others might begin when it
     * is done, and a lock that does not exclude them would not be noticed.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the others need the processor
    private void awaitOthers(Counter self) {
        long began = System.nanoTime();
        while (!isContended(self) && System.nanoTime() - began < stage.timeout().toNanos()) {
            Thread.yield();
        }
    }

    private boolean isContended(Counter self) {
        return overlaps.get() > 0
                || counters.stream().map(counter -> counter.client).allMatch(client -> counters.stream()
                        .anyMatch(other -> other != self && other.client == client && other.waits()));
    }

    /**
     * Starts all threads at once and waits for them; checks that one at a time was inside, and that no count is lost.
     */
    void verify() {
        start.countDown();
        CompletableFuture<Void> all = CompletableFuture.allOf(runs.toArray(CompletableFuture[]::new));
        assertThat(all)
                .succeedsWithin(stage.timeout().multipliedBy(TIMEOUT_FACTOR).toMillis(), TimeUnit.MILLISECONDS);
        assertThat(overlaps).as("overlaps").hasValue(0);
        assertThat(count).as("count").isEqualTo(runs.size() * rounds);
    }
}
