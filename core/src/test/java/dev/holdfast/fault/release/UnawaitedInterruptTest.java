package dev.holdfast.fault.release;

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
import dev.holdfast.RealTime;
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
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder ->
            builder.commandTimeout(Duration.ofSeconds(20)).awaitReleases(false).interruptOnLoss(true));
    private final DistributedLock lock = client.getLock("orders:42");

    /** A level whose unlock is queued behind an earlier one is not released yet, so the thread waits for it. */
    @RealTime
    void unlock_behindAnother_waitsForIt() {
        Duration lease = Duration.ofSeconds(1);
        CompletableFuture<Boolean> strayed = elsewhere(() -> {
            lock.lock(lease);
            lock.lock(lease);
            faulty.proxy().delay(Direction.REPLIES, lease.multipliedBy(2));
            lock.unlock();
            assertThat(client.stats().lost())
                    .as("losses after the first unlock")
                    .isZero();
            try {
                lock.unlock();
            } catch (LeaseLostException e) {
                assertThat(e.reason()).isEqualTo(LossReason.EXPIRED);
            }
            Thread.interrupted();
            eventually(() -> faulty.events().lost().size() == 1);
            return Thread.interrupted();
        });
        assertThat(get(strayed)).isFalse();
        faulty.proxy().heal();
        assertThat(faulty.events().lost()).containsExactly(LossReason.EXPIRED);
    }

    /**
     * A loss that is found by the unawaited unlock of an inner level interrupts the thread, which continues under the
     * outer level.
     */
    @Test
    void unlock_innerLevel_findsTheLoss() {
        CompletableFuture<Boolean> interrupted = elsewhere(() -> {
            lock.lock();
            lock.lock();
            faulty.server().command("DEL", "orders:42");
            faulty.proxy().delay(Direction.REPLIES, Duration.ofMillis(200));
            lock.unlock();
            boolean wasInterrupted = false;
            try {
                new CountDownLatch(1).await(FaultyRedis.SOON.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
            return wasInterrupted;
        });

        assertThat(get(interrupted)).isTrue();
        eventually(() -> !faulty.events().lost().isEmpty());
        assertThat(faulty.events().lost()).containsExactly(LossReason.GONE);
    }
}
