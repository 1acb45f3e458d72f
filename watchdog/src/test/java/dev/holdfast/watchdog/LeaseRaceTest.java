package dev.holdfast.watchdog;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real threads, many rounds: properties that hold in any order. */
@Tag("pure")
class LeaseRaceTest {
    private static final int ROUNDS = 3_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final Rig rig = new Rig();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** However an end interleaves with confirmations, policy changes and the timer, nothing stays scheduled. */
    @Test
    void end_againstWhateverSchedules() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Holder holder = rig.holder("a");
            KeptLease lease = rig.watched(holder);
            together(
                    lease::end,
                    () -> {
                        lease.confirmed(rig.clock.nanoTime(), Rig.WATCHDOG);
                        lease.watch(false);
                        lease.watch(true);
                        return true;
                    },
                    () -> {
                        rig.advanceSeconds(10);
                        return true;
                    });
            assertThat(rig.keeper.size()).isZero();
            assertThat(rig.deadlines.pending()).isZero();
            assertThat(rig.clock.pending()).isLessThanOrEqualTo(1);
            assertThat(holder.news()).allMatch(news -> news.endsWith("renewed"));
        }
    }

    /**
     * Of an end, a loss reported from elsewhere and an expiry exactly one happens, and the subject is notified
     * accordingly.
     */
    @Test
    void endOrLoss_exactlyOne() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Holder holder = rig.holder("a");
            KeptLease lease = rig.unwatched(holder, Duration.ofSeconds(1));
            List<Boolean> won = together(lease::end, lease::lose, () -> {
                rig.advanceSeconds(1);
                return true;
            });
            assertThat(holder.news()).hasSize(won.get(0) ? 0 : 1);
            assertThat(won.get(0) && won.get(1)).isFalse();
            assertThat(rig.deadlines.pending()).isZero();
        }
    }

    /** A deadline either expires or is cancelled, never both and never neither. */
    @Test
    void cancel_againstTheTimer() throws Exception {
        AtomicInteger expired = new AtomicInteger();
        int cancelled = 0;
        for (int i = 0; i < ROUNDS; i++) {
            Deadline deadline = new Deadline() {
                @Override
                protected void expired() {
                    expired.incrementAndGet();
                }
            };
            rig.deadlines.schedule(deadline, rig.clock.nanoTime() + 1);
            List<Boolean> won = together(() -> rig.deadlines.cancel(deadline), () -> {
                rig.advanceSeconds(1);
                return true;
            });
            cancelled += won.get(0) ? 1 : 0;
        }
        assertThat(expired.get() + cancelled).isEqualTo(ROUNDS);
        assertThat(rig.deadlines.pending()).isZero();
    }

    @SafeVarargs
    private List<Boolean> together(Callable<Boolean>... tasks) throws Exception {
        CyclicBarrier start = new CyclicBarrier(tasks.length);
        List<Future<Boolean>> running = new ArrayList<>();
        for (Callable<Boolean> task : tasks) {
            running.add(threads.submit(() -> {
                start.await();
                return task.call();
            }));
        }
        List<Boolean> results = new ArrayList<>();
        for (Future<Boolean> each : running) {
            results.add(each.get(60, SECONDS));
        }
        return results;
    }
}
