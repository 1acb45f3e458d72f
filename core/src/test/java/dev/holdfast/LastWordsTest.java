package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who was handed the lock does not release it: the next one has it when the lease has run out. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
final class LastWordsTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.briskClient();
    private final DistributedLock lock = client.getLock(redis.name());

    /** A thread that dies with the lock keeps it for no longer than its lease. */
    @Test
    void deadThread_nextHolds() throws InterruptedException {
        Worker first = redis.worker();
        Worker second = redis.worker();
        first.does(() -> lock.lock());
        CompletableFuture<?> opener = opener();
        CompletableFuture<?> handedOn = second.begins(() -> lock.lock());
        awaitWaiters(2);
        CompletableFuture<Lease> next = lock.acquireAsync();
        awaitWaiters(3);

        first.does(lock::unlock);
        Patience.get(handedOn);
        second.dies();

        Patience.get(next).close();
        Patience.get(opener);
    }

    /** A short lease amid long ones runs out, its owner is told so, and the next one has the lock. */
    @Test
    void shortLease_nextHolds() {
        Lease first = lock.acquire();
        CompletableFuture<?> opener = opener();
        CompletableFuture<Lease> brief = lock.acquireAsync(Duration.ofMillis(400));
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

    /** Nor is the lease of who comes after a short one any shorter than was asked for. */
    @Test
    void shortLease_released_nextHasItsOwn() {
        Lease first = lock.acquire();
        CompletableFuture<?> opener = opener();
        CompletableFuture<Lease> brief = lock.acquireAsync(Duration.ofMillis(500));
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

    /** One who waits first. It may be trying just when the lock is handed on, and then comes next; the others do not try. */
    private CompletableFuture<?> opener() {
        CompletableFuture<?> opener = lock.acquireAsync().thenCompose(Lease::releaseAsync);
        awaitWaiters(1);
        return opener;
    }

    private void awaitWaiters(int waiters) {
        Patience.await().until(() -> client.stats().waiters() == waiters);
    }
}
