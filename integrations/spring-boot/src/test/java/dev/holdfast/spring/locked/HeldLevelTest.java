package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.spring.DoubtedLock;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whenever the outer level is lost, the next one is refused instead of being a hold of its own. */
final class HeldLevelTest {
    private static final Timing AT_ONCE = new Timing(Duration.ZERO, null);

    private final RedisServer redis = RedisServer.builder().start();
    private final TestClock clock = new TestClock();
    private final Holdfast client =
            clock.applyTo(Holdfast.builder().redisUri(redis.uri())).build();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final LockTarget target = new LockTarget(client, List.of("key"), LockedMode.EXCLUSIVE, false);
    private final DistributedLock lock = client.getLock("key");
    private final DistributedLock lockOfRival = rival.getLock("key");

    @AfterEach
    void close() {
        Holds.ofThread().forEach(Holds::leave);
        client.close();
        rival.close();
        redis.close();
    }

    private HeldLevel enter() throws InterruptedException {
        return Objects.requireNonNull(HeldLevel.enter(target, AT_ONCE), "the lock is free");
    }

    /** Deletes the lock, and returns when the client knows. */
    private void lose() {
        assertThat(lockOfRival.forceUnlock()).isTrue();
        clock.advance(Duration.ofSeconds(10)); // the next renewal is due
        Eventually.await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
    }

    /** {@return the lock, which the thread loses just before it acquires it} */
    private DistributedLock lostBeforeAttempt() {
        return (DistributedLock) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("tryLock")) {
                        lose();
                    }
                    try {
                        return method.invoke(lock, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void assertLostOnce(HeldLevel outer) {
        assertThatThrownBy(outer::check).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(outer::release).isInstanceOf(LeaseLostException.class);
        assertThat(Holds.ofThread()).isEmpty();
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
    }

    /** A loss that is known is reported as such, and not as the busy lock of the owner that has it now. */
    @Test
    void enter_afterLoss() throws InterruptedException {
        HeldLevel outer = enter();
        lose();
        Lease next = lockOfRival.acquire();
        assertThatThrownBy(() -> HeldLevel.enter(target, AT_ONCE)).isInstanceOf(LeaseLostException.class);
        assertThat(next.isValid()).isTrue();
        next.close();
        assertLostOnce(outer);
    }

    /** A hold that is lost between the check and the attempt makes that a new hold, which is released. */
    @Test
    void enter_lostBeforeAttempt() throws InterruptedException {
        HeldLevel outer = enter();
        assertThatThrownBy(() -> HeldLevel.enter(target, lostBeforeAttempt(), AT_ONCE))
                .isInstanceOf(LeaseLostException.class);
        assertThat(lockOfRival.isLocked()).isFalse();
        assertLostOnce(outer);
    }

    /** A hold that is only in doubt is confirmed before a commit, and stays. */
    @Test
    void check_inDoubt() throws InterruptedException {
        DoubtedLock doubted = new DoubtedLock(lock);
        HeldLevel hold = Objects.requireNonNull(HeldLevel.enter(target, doubted.view(), AT_ONCE), "the lock is free");
        doubted.doubt(1);
        hold.check();
        assertThat(lockOfRival.isLocked()).isTrue();
        hold.release();
        assertThat(lockOfRival.isLocked()).isFalse();
    }

    /** A hold in doubt that Redis has not got any more is lost. */
    @Test
    void check_goneInDoubt() throws InterruptedException {
        DoubtedLock doubted = new DoubtedLock(lock);
        HeldLevel hold = Objects.requireNonNull(HeldLevel.enter(target, doubted.view(), AT_ONCE), "the lock is free");
        assertThat(lockOfRival.forceUnlock()).isTrue();
        doubted.doubt(1);
        assertLostOnce(hold);
        assertThat(lockOfRival.isLocked()).isFalse();
    }

    /** A hold that is in doubt as soon as it is granted is not given up. */
    @Test
    void enter_inDoubt() throws InterruptedException {
        DoubtedLock doubted = new DoubtedLock(lock);
        doubted.doubt(2);
        HeldLevel outer = Objects.requireNonNull(HeldLevel.enter(target, doubted.view(), AT_ONCE), "the lock is free");
        assertThat(lockOfRival.isLocked()).isTrue();
        HeldLevel inner = Objects.requireNonNull(HeldLevel.enter(target, doubted.view(), AT_ONCE), "a re-entry");
        assertThat(lock.getHoldCount()).isEqualTo(2);
        inner.release();
        outer.release();
        assertThat(lockOfRival.isLocked()).isFalse();
    }

    /** A lock that the method's thread has unlocked beside its level is not held at the commit. */
    @Test
    void check_unlockedBeside() throws InterruptedException {
        HeldLevel hold = enter();
        lock.unlock();
        assertThatThrownBy(hold::check)
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
    }
}
