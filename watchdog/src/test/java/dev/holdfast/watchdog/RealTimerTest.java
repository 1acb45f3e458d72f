package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Eventually;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same with the production timer. */
@Tag("pure")
class RealTimerTest {
    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);

    @AfterEach
    void stop() {
        timer.stop();
    }

    /** The timer's thread is a daemon with a recognizable name, and no deadline is early. */
    @Test
    void schedule_onTheTimersThreadNeverEarly() {
        AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
        AtomicLong early = new AtomicLong();
        long at = System.nanoTime() + Duration.ofMillis(35).toNanos();
        deadlines.schedule(
                new Deadline() {
                    @Override
                    protected void expired() {
                        early.set(at - System.nanoTime());
                        thread.set(Thread.currentThread());
                    }
                },
                at);
        Eventually.await().until(() -> thread.get() != null);
        assertThat(early.get()).isNotPositive();
        Thread ran = thread.get();
        assertThat(ran != null && ran.isDaemon() && ran.getName().startsWith("holdfast-timer"))
                .isTrue();
    }

    /** A watched lease outlives its watchdog timeout several times, and leaves nothing when it ends. */
    @Test
    void keep_outlivesTheTimeout() {
        AtomicInteger renewals = new AtomicInteger();
        LeaseStore<LeaseSubject> store = new LeaseStore<>() {
            @Override
            public CompletionStage<List<RenewalOutcome>> renew(List<LeaseSubject> batch) {
                renewals.incrementAndGet();
                return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), RenewalOutcome.RENEWED));
            }

            @Override
            public CompletionStage<List<RenewalOutcome>> verify(List<LeaseSubject> batch) {
                return renew(batch);
            }
        };
        Duration timeout = Duration.ofSeconds(3);
        try (LeaseKeeper<LeaseSubject> keeper =
                new LeaseKeeper<>(deadlines, System::currentTimeMillis, LeaseTerms.of(timeout), store)) {
            KeptLease lease = keeper.keep(new Unmoved(), System.nanoTime(), timeout.toNanos(), true);
            Eventually.await().until(() -> renewals.get() >= 4);
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.end()).isTrue();
        }
        assertThat(deadlines.pending()).isZero();
        assertThat(timer.pendingTimeouts()).isLessThanOrEqualTo(1);
    }

    private static final class Unmoved implements LeaseSubject {
        @Override
        public void renewed() {}

        @Override
        public void atRisk(long remainingNanos) {}

        @Override
        public void lost(LossCause loss) {}

        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public void abandoned(long remainingNanos) {}
    }
}
