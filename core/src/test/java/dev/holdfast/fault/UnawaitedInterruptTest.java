package dev.holdfast.fault;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unlocks that do not wait for Redis, by threads that may be interrupted. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class UnawaitedInterruptTest {
    @RegisterExtension
    final FaultyRedis day = new FaultyRedis();

    private final Holdfast client = day.client(builder ->
            builder.commandTimeout(Duration.ofSeconds(20)).awaitReleases(false).interruptOnLoss(true));
    private final DistributedLock lock = client.getLock("orders:42");

    /** A level whose unlock is queued behind an earlier one is not released yet, so the thread waits for it. */
    @Test
    void unlock_behindAnother_waitsForIt() {
        Duration lease = Duration.ofSeconds(1);
        CompletableFuture<Boolean> strayed = elsewhere(() -> {
            lock.lock(lease);
            lock.lock(lease);
            day.proxy().delay(Direction.REPLIES, lease.multipliedBy(2));
            lock.unlock();
            assertThat(client.stats().lost())
                    .as("the first one waits for nothing")
                    .isZero();
            try {
                lock.unlock();
            } catch (LeaseLostException e) {
                assertThat(e.reason()).isEqualTo(LossReason.EXPIRED);
            }
            Thread.interrupted();
            eventually(() -> day.heard().lost().size() == 1);
            return Thread.interrupted();
        });
        assertThat(get(strayed)).isFalse();
        day.proxy().heal();
        assertThat(day.heard().lost()).containsExactly(LossReason.EXPIRED);
    }

    /**
     * A loss that is found by the unawaited unlock of an inner level interrupts the thread, which goes on under the
     * outer level.
     */
    @Test
    void unlock_innerLevel_findsTheLoss() {
        CompletableFuture<Boolean> interrupted = elsewhere(() -> {
            lock.lock();
            lock.lock();
            day.server().command("DEL", "orders:42");
            day.proxy().delay(Direction.REPLIES, Duration.ofMillis(200));
            lock.unlock();
            boolean told = false;
            try {
                new CountDownLatch(1).await(FaultyRedis.SOON.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                told = true;
            }
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            return told;
        });

        assertThat(get(interrupted)).isTrue();
        eventually(() -> !day.heard().lost().isEmpty());
        assertThat(day.heard().lost()).containsExactly(LossReason.GONE);
    }
}
