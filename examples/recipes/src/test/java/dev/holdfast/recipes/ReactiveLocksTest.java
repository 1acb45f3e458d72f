package dev.holdfast.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@ExtendWith(HoldfastExtension.class)
final class ReactiveLocksTest {
    private final TestRedis redis;
    private final Holdfast holdfast;
    private final DistributedLock lock;
    private final AtomicInteger begun = new AtomicInteger();

    ReactiveLocksTest(TestRedis redis, Holdfast holdfast) {
        this.redis = redis;
        this.holdfast = holdfast;
        this.lock = holdfast.getLock("reactive");
    }

    private Mono<String> endless(Lease lease) {
        begun.incrementAndGet();
        return Mono.never();
    }

    /** The lock is held during the work, and free when the result is there. */
    @Test
    void mono_isUnderTheLock() {
        Mono<Boolean> locked = ReactiveLocks.withLock(lock, lease -> Mono.fromFuture(lock.isLockedAsync()));
        assertThat(lock.isLocked()).isFalse();
        assertThat(locked.block()).isTrue();
        assertThat(lock.isLocked()).isFalse();
    }

    /** All elements are emitted under the lock, which is free when the last one was. */
    @Test
    void flux_isUnderTheLock() {
        Flux<Boolean> locked = ReactiveLocks.withLockForMany(
                lock, lease -> Flux.range(0, 3).concatMap(i -> Mono.fromFuture(lock::isLockedAsync)));
        assertThat(locked.collectList().block()).containsExactly(true, true, true);
        assertThat(lock.isLocked()).isFalse();
    }

    /** The failure of the work is the failure of the whole, and the lock is free. */
    @Test
    void failure_releases() {
        Mono<String> failing = ReactiveLocks.withLock(lock, lease -> Mono.error(new IllegalStateException("no stock")));
        assertThatThrownBy(failing::block)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no stock");
        assertThat(lock.isLocked()).isFalse();
    }

    /** So it is if the work could not even be made. */
    @Test
    void failureToBegin_releases() {
        Mono<String> failing = ReactiveLocks.withLock(lock, lease -> {
            throw new IllegalStateException("no stock");
        });
        assertThatThrownBy(failing::block).isInstanceOf(IllegalStateException.class);
        assertThat(lock.isLocked()).isFalse();
    }

    /** Work that is cancelled no longer has the lock. */
    @Test
    void cancel_releases() {
        Disposable work = ReactiveLocks.withLock(lock, this::endless).subscribe();
        Eventually.await().until(() -> begun.get() == 1);
        assertThat(lock.isLocked()).isTrue();
        work.dispose();
        Eventually.await().until(() -> !lock.isLocked());
    }

    /** A subscriber that gives up while it waits gets nothing later. What it is granted on the way is released. */
    @Test
    void cancelOfTheWait_acquiresNothing() {
        Lease busy = redis.busy(lock);
        Disposable work = ReactiveLocks.withLock(lock, this::endless).subscribe();
        Eventually.await().until(() -> holdfast.stats().waiters() == 1);
        work.dispose();
        Eventually.await().until(() -> holdfast.stats().waiters() == 0);
        busy.close();
        Eventually.await().until(() -> !lock.isLocked());
        assertThat(begun).hasValue(0);
    }

    /** A lease that is granted while the subscriber cancels is released. */
    @Test
    void cancelAtTheGrant_releases() {
        Disposable work =
                ReactiveLocks.withLock(LateGrant.of(lock), this::endless).subscribe();
        work.dispose();
        assertThat(begun).hasValue(0);
        Eventually.await().until(() -> !lock.isLocked());
        assertThat(holdfast.stats().holds()).isZero();
    }

    /** So is one that came before the subscriber had requested it. */
    @Test
    void cancelBeforeTheRequest_releases() {
        ReactiveLocks.withLock(lock, this::endless).subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                Eventually.await().until(lock::isLocked);
                // The future of the first grant completes before that of a later one.
                holdfast.getLock("other")
                        .acquireAsync()
                        .thenCompose(Lease::releaseAsync)
                        .join();
                subscription.cancel();
            }
        });
        assertThat(begun).hasValue(0);
        Eventually.await().until(() -> !lock.isLocked());
    }

    /** Work that would go on without the lock ends with the loss. */
    @Test
    @Timeout(30)
    void loss_endsTheWork() {
        Mono<String> work = ReactiveLocks.withLock(lock, lease -> {
            redis.loseLease(lease);
            return Mono.never();
        });
        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(work::block)
                .withMessageContaining("lost during the work");
    }
}
