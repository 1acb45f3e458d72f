package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncSemaphoreStressTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2_000;
    private static final int PER_THREAD = 20;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /**
     * With waiters that arrive and leave at random while permits are released, each permit ends up with exactly one
     * waiter that kept it, or is stored, or was not needed because no waiter was left.
     */
    @Test
    void permits_areNeitherLostNorDuplicated() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            AtomicInteger kept = new AtomicInteger();
            AtomicInteger released = new AtomicInteger();
            together(() -> {
                for (int i = 0; i < PER_THREAD; i++) {
                    switch (ThreadLocalRandom.current().nextInt(3)) {
                        case 0 -> {
                            released.incrementAndGet();
                            semaphore.release();
                        }
                        case 1 -> leaveOrKeep(semaphore, semaphore.acquire(), kept);
                        default -> semaphore.acquire().onWakeup((wakeup, failure) -> kept.incrementAndGet());
                    }
                }
            });

            int stored = semaphore.drain();
            assertThat(kept.get() + stored).as("round %d", round).isEqualTo(released.get());
            assertThat(stored > 0 && semaphore.waiting() > 0)
                    .as("a permit is stored while there is a waiter, round %d", round)
                    .isFalse();
        }
    }

    private static void leaveOrKeep(AsyncSemaphore semaphore, Waiter waiter, AtomicInteger kept) {
        if (waiter.isDone() && ThreadLocalRandom.current().nextBoolean()) {
            kept.incrementAndGet();
        } else {
            semaphore.leave(waiter);
        }
    }

    /** However many waiters leave at the moment of a release, the one that stays is woken. */
    @Test
    void release_amongLeavers_reachesTheOneThatStays() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            List<Waiter> leavers = new ArrayList<>();
            for (int i = 0; i < THREADS - 1; i++) {
                leavers.add(semaphore.acquire());
            }
            Waiter stays = semaphore.acquire();
            AtomicInteger turn = new AtomicInteger();
            together(() -> {
                int mine = turn.getAndIncrement();
                if (mine == 0) {
                    semaphore.release();
                } else {
                    semaphore.leave(leavers.get(mine - 1));
                }
            });

            assertThat(stays).as("round %d", round).isCompletedWithValue(Wakeup.PERMIT);
        }
    }

    private void together(Runnable body) throws Exception {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            running.add(threads.submit(() -> {
                start.await();
                body.run();
                return null;
            }));
        }
        for (Future<?> thread : running) {
            thread.get(30, TimeUnit.SECONDS);
        }
    }
}
