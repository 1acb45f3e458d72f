package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An owner that got the lock by a handoff does not release it: the next one has it when the lease has expired. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class HandoffExpiryTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.briskClient();
    private final DistributedLock lock = client.getLock(redis.name());

    /** A thread that dies holding the lock keeps it for no longer than its lease. */
    @RealTime
    void deadThread_nextHolds() throws InterruptedException {
        Worker first = redis.worker();
        Worker second = redis.worker();
        first.does(() -> lock.lock());
        CompletableFuture<?> opener = opener();
        CompletableFuture<?> receiver = second.begins(() -> lock.lock());
        awaitWaiters(2);
        CompletableFuture<Lease> next = lock.acquireAsync();
        awaitWaiters(3);

        first.does(lock::unlock);
        Patience.get(receiver);
        second.dies();

        Patience.get(next).close();
        Patience.get(opener);
    }

    /** A short lease among long ones expires, its owner gets the loss, and the next one has the lock. */
    @RealTime
    void shortLease_nextHolds() {
        Lease first = lock.acquire();
        CompletableFuture<?> opener = opener();
        CompletableFuture<Lease> brief = lock.acquireAsync(Duration.ofMillis(600));
        CompletableFuture<Lease> next = lock.acquireAsync(Duration.ofMinutes(1));
        awaitWaiters(3);

        first.close();
        Lease silent = Patience.get(brief);
        Lease last = Patience.get(next);

        assertThat(silent.isValid()).isFalse();
        assertThat(Patience.get(silent.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThatThrownBy(silent::close).isInstanceOf(LeaseLostException.class);
        assertThat(last.isValid()).isTrue();
        last.close();
        Patience.get(opener);
    }

    /** Nor is the lease of the owner after a short one shorter than requested. */
    @RealTime
    void shortLease_released_nextHasItsOwn() {
        Lease first = lock.acquire();
        CompletableFuture<?> opener = opener();
        CompletableFuture<Lease> brief = lock.acquireAsync(Duration.ofMillis(600));
        CompletableFuture<Lease> next = lock.acquireAsync(Duration.ofMinutes(1));
        awaitWaiters(3);

        first.close();
        Patience.get(brief).close();
        Lease last = Patience.get(next);

        Patience.await().until(() -> last.remaining().compareTo(Duration.ofSeconds(30)) > 0);
        assertThat(lock.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(30)));
        last.close();
        Patience.get(opener);
    }

    /** The first waiter. It may be trying at the time of the release, and then comes next; the others do not try. */
    private CompletableFuture<?> opener() {
        CompletableFuture<?> opener = lock.acquireAsync().thenCompose(Lease::releaseAsync);
        awaitWaiters(1);
        return opener;
    }

    private void awaitWaiters(int waiters) {
        Patience.await().until(() -> client.stats().waiters() == waiters);
    }
}
