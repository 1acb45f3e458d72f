package dev.holdfast;

import static dev.holdfast.BadDay.elsewhere;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Unlocks that do not wait for Redis, of threads that may be interrupted. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
final class UnawaitedInterruptTest {
    @RegisterExtension
    final BadDay day = new BadDay();

    private final Holdfast client = day.client(builder ->
            builder.commandTimeout(Duration.ofSeconds(20)).awaitReleases(false).interruptOnLoss(true));
    private final DistributedLock lock = client.getLock("orders:42");

    /** A level whose unlock has to wait for an earlier one is not given back yet, so the thread does not go on before. */
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

    /** A loss that the unlock of an inner level finds, unwaited for, is told to the thread that goes on under the outer one. */
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
                new CountDownLatch(1).await(BadDay.SOON.toSeconds(), TimeUnit.SECONDS);
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
