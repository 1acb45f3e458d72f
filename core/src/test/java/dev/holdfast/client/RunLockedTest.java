package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockKinds;
import dev.holdfast.MultiLock;
import dev.holdfast.SharedRedis;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A body that runs under a lock, or under several: its exceptions are thrown to the caller. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(RunLockedTest.What.class)
final class RunLockedTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final LockKinds kind;
    private final boolean several;
    private final DistributedLock one;
    private final Locked locked;

    /** What is locked. */
    enum What {
        PLAIN,
        FENCED,
        /** A plain and a fenced lock, of two clients. */
        SEVERAL
    }

    /** A lock with a body, of whatever type. */
    private record Locked(Lock lock, Consumer<Runnable> run, Caller caller, IntSupplier holdCount) {
        static Locked of(DistributedLock lock) {
            return new Locked(lock, lock::runLocked, lock::callLocked, lock::getHoldCount);
        }

        static Locked of(MultiLock lock) {
            return new Locked(lock, lock::runLocked, lock::callLocked, lock::getHoldCount);
        }

        void runLocked(Runnable body) {
            run.accept(body);
        }

        <T> T callLocked(Callable<T> body) throws Exception {
            return caller.call(body);
        }

        int getHoldCount() {
            return holdCount.getAsInt();
        }
    }

    private interface Caller {
        <T> T call(Callable<T> body) throws Exception;
    }

    RunLockedTest(What what) {
        kind = what == What.FENCED ? LockKinds.FENCED : LockKinds.PLAIN;
        several = what == What.SEVERAL;
        one = kind.lock(redis.client(), redis.name());
        locked = several
                ? Locked.of(Holdfast.multiLock(redis.rival().getFencedLock(redis.name() + " too"), one))
                : Locked.of(one);
    }

    /** The body runs while the lock is held, and the lock is released after it. */
    @Test
    void runLocked_holdsMeanwhile() {
        boolean[] held = new boolean[1];
        locked.runLocked(() -> held[0] = one.isLocked());
        assertThat(held[0]).isTrue();
        assertThat(redis.keys()).isEmpty();
    }

    /** The result of the body is returned. */
    @Test
    void callLocked_returns() throws Exception {
        assertThat(locked.callLocked(one::isLocked)).isTrue();
        assertThat(redis.keys()).isEmpty();
    }

    /** Without a body, nothing is locked. */
    @Test
    @SuppressWarnings("NullAway") // the argument that is refused
    void noBody_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> locked.runLocked(null));
        assertThatNullPointerException().isThrownBy(() -> locked.callLocked(null));
        assertThat(redis.keys()).isEmpty();
    }

    /** An exception of the body is thrown, checked or not, and the lock is released. */
    @Test
    void bodyThrows_isThrown() {
        IllegalArgumentException unchecked = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> locked.runLocked(() -> {
                    throw unchecked;
                }))
                .isSameAs(unchecked)
                .hasNoSuppressedExceptions();
        IOException checked = new IOException("the body's");
        Callable<Void> body = () -> {
            throw checked;
        };
        assertThatThrownBy(() -> locked.callLocked(body)).isSameAs(checked);
        assertThat(redis.keys()).isEmpty();
    }

    /** A release that fails after the body has thrown does not replace the body's exception. */
    @Test
    void bodyThrows_releaseFailsToo() {
        IllegalArgumentException thrown = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> locked.runLocked(() -> {
                    assertThat(one.forceUnlock()).isTrue();
                    throw thrown;
                }))
                .isSameAs(thrown)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
        assertThat(redis.keys()).isEmpty();
    }

    /** If the lease was lost while the body ran to its end, exclusion was not guaranteed, and the call throws. */
    @Test
    void bodyEndsWell_leaseLost() {
        assertThatThrownBy(() ->
                        locked.runLocked(() -> assertThat(one.forceUnlock()).isTrue()))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(redis.name());
        assertThat(redis.keys()).isEmpty();
    }

    /** The body belongs to the thread, so it may lock again, itself or further in. */
    @Test
    void bodyLocksAgain() {
        FaultyRedis.get(FaultyRedis.elsewhere(() -> locked.callLocked(() -> {
            assertThat(one.isHeldByCurrentThread()).isNotEqualTo(several);
            locked.runLocked(() -> assertThat(locked.getHoldCount()).isEqualTo(2));
            locked.lock().lock();
            locked.lock().unlock();
            assertThat(locked.getHoldCount()).isEqualTo(1);
            assertThat(one.ownedBy(Thread.currentThread().getId()).getHoldCount())
                    .isEqualTo(several ? 0 : 1);
            assertThat(kind.lock(redis.rival(), redis.name()).tryLock()).isFalse();
            return null;
        })));
        assertThat(redis.keys()).isEmpty();
    }

    /** It may run while the thread holds the lock, whose level it leaves as it was. */
    @Test
    void threadHoldsTheLock() {
        FaultyRedis.get(FaultyRedis.elsewhere(() -> {
            locked.lock().lock();
            locked.runLocked(() -> assertThat(locked.getHoldCount()).isEqualTo(2));
            assertThat(locked.getHoldCount()).isEqualTo(1);
            locked.lock().unlock();
            return null;
        }));
        assertThat(redis.keys()).isEmpty();
    }
}
