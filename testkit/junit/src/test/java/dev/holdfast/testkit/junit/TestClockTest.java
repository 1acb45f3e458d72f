package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.Lease;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The clock that a test may advance. The end of a lease by it is in {@link TestRedisTest}. */
final class TestClockTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final BlockingQueue<LockEvent.Renewed> renewals = new LinkedBlockingQueue<>();

    @AutoClose
    private final TestRedis redis = TestRedis.builder()
            .settings(client -> client.addListener(new LockListener() {
                @Override
                public void renewed(LockEvent.Renewed event) {
                    renewals.add(event);
                }
            }))
            .start();

    /** A renewal is sent when the clock reaches its time, and not only when the system's does. */
    @Test
    void advance_renews() throws InterruptedException {
        Lease lease = redis.client().getLock("clock").acquire();
        for (int renewal = 0; renewal < 5; renewal++) {
            redis.clock().advance(Duration.ofSeconds(10));
            assertThat(renewals.poll(SOON.toMillis(), TimeUnit.MILLISECONDS)).isNotNull();
        }
        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** A wait ends by the clock, also of a client that holds nothing. */
    @Test
    void advance_endsAWait() {
        Lease busy = redis.busy("clock");
        CompletableFuture<Optional<Lease>> waiting =
                redis.client().getLock("clock").tryAcquireAsync(Duration.ofHours(1));
        Eventually.await().until(() -> redis.client().stats().waiters() == 1);
        redis.clock().advance(Duration.ofMinutes(59));
        assertThat(waiting).isNotDone();
        redis.clock().advance(Duration.ofMinutes(1));
        assertThat(waiting).succeedsWithin(SOON).isEqualTo(Optional.empty());
        busy.close();
    }

    /** Time does not run back. */
    @Test
    void advance_negative() {
        assertThatIllegalArgumentException().isThrownBy(() -> redis.clock().advance(Duration.ofMillis(-1)));
    }
}
