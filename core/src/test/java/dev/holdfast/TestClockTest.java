package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The clock that a test may advance. */
@Tag("client")
final class TestClockTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    @RegisterExtension
    static final SharedRedis REDIS = new SharedRedis();

    private final TestClock clock = new TestClock();
    private final BlockingQueue<LockEvent.Renewed> renewals = new LinkedBlockingQueue<>();
    private final Holdfast client = REDIS.client(builder -> builder.clock(clock).addListener(new LockListener() {
        @Override
        public void renewed(LockEvent.Renewed event) {
            renewals.add(event);
        }
    }));

    /** A renewal is sent when the clock reaches its time, and not only when the system's does. */
    @Test
    void advance_renews() throws InterruptedException {
        Lease lease = client.getLock("clock").acquire();
        for (int renewal = 0; renewal < 5; renewal++) {
            clock.advance(Duration.ofSeconds(10));
            assertThat(renewals.poll(SOON.toMillis(), TimeUnit.MILLISECONDS)).isNotNull();
        }
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** A lease ends by the clock, with all that it was to last and no sooner. */
    @Test
    void advance_endsALease() {
        DistributedLock lock = client.getLock("clock");
        Lease lease = lock.acquire(Duration.ofHours(1));
        clock.advance(Duration.ofMinutes(59));
        assertThat(lease.isValid()).isTrue();
        clock.advance(Duration.ofMinutes(1));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.lost().toCompletableFuture())
                .succeedsWithin(SOON)
                .extracting(LeaseLoss::reason)
                .isEqualTo(LossReason.EXPIRED);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** A wait ends by the clock, also of a client that holds nothing. */
    @Test
    void advance_endsAWait() {
        Lease busy = REDIS.rival().getLock("clock").acquire();
        CompletableFuture<Optional<Lease>> waiting = client.getLock("clock").tryAcquireAsync(Duration.ofHours(1));
        await().until(() -> client.stats().waiters() == 1);
        clock.advance(Duration.ofMinutes(59));
        assertThat(waiting).isNotDone();
        clock.advance(Duration.ofMinutes(1));
        assertThat(waiting).succeedsWithin(SOON).isEqualTo(Optional.empty());
        busy.close();
    }

    /** Time does not run back. */
    @Test
    void advance_negative() {
        assertThatIllegalArgumentException().isThrownBy(() -> clock.advance(Duration.ofMillis(-1)));
    }
}
