package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A body that runs under the lock: its exceptions are thrown to the caller. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class RunLockedTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** The body runs while the lock is held, and the lock is released after it. */
    @Test
    void runLocked_holdsMeanwhile() {
        boolean[] locked = new boolean[1];
        redis.lock().runLocked(() -> locked[0] = redis.lock().isLocked());
        assertThat(locked[0]).isTrue();
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** The result of the body is returned. */
    @Test
    void callLocked_returns() throws Exception {
        assertThat(redis.lock().callLocked(() -> redis.lock().isLocked())).isTrue();
    }

    /** An exception of the body is thrown, checked or not, and the lock is released. */
    @Test
    void bodyThrows_isThrown() {
        IllegalArgumentException unchecked = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> redis.lock().runLocked(() -> {
                    throw unchecked;
                }))
                .isSameAs(unchecked)
                .hasNoSuppressedExceptions();
        IOException checked = new IOException("the body's");
        Callable<Void> body = () -> {
            throw checked;
        };
        assertThatThrownBy(() -> redis.lock().callLocked(body)).isSameAs(checked);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** A release that fails after the body has thrown does not replace the body's exception. */
    @Test
    void bodyThrows_releaseFailsToo() {
        IllegalArgumentException thrown = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> redis.lock().runLocked(() -> {
                    assertThat(redis.lock().forceUnlock()).isTrue();
                    throw thrown;
                }))
                .isSameAs(thrown)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
    }

    /** If the lease was lost while the body ran to its end, exclusion was not guaranteed, and the call throws. */
    @Test
    void bodyEndsWell_leaseLost() {
        assertThatThrownBy(() -> redis.lock()
                        .runLocked(() -> assertThat(redis.lock().forceUnlock()).isTrue()))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(redis.name());
    }

    /** The body belongs to the thread, so it may lock again, itself or further in, on every kind of lock. */
    @ParameterizedTest
    @EnumSource
    void bodyLocksAgain(LockKinds kind) throws Exception {
        DistributedLock lock = kind.lock(redis.client(), redis.name());
        FaultyRedis.get(FaultyRedis.elsewhere(() -> lock.callLocked(() -> {
            assertThat(lock.isHeldByCurrentThread()).isTrue();
            lock.runLocked(() -> assertThat(lock.getHoldCount()).isEqualTo(2));
            lock.lock();
            lock.unlock();
            assertThat(lock.ownedBy(Thread.currentThread().getId()).getHoldCount())
                    .isEqualTo(1);
            assertThat(kind.lock(redis.rival(), redis.name()).tryLock()).isFalse();
            return null;
        })));
        assertThat(lock.isLocked()).isFalse();
    }

    /** It may run while the thread holds the lock, whose level it leaves as it was. */
    @Test
    void threadHoldsTheLock() {
        FaultyRedis.get(FaultyRedis.elsewhere(() -> {
            redis.lock().lock();
            redis.lock().runLocked(() -> assertThat(redis.lock().getHoldCount()).isEqualTo(2));
            assertThat(redis.lock().getHoldCount()).isEqualTo(1);
            redis.lock().unlock();
            return null;
        }));
        assertThat(redis.lock().isLocked()).isFalse();
    }
}
