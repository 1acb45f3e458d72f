package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whenever the outer level is lost, the next one is refused instead of being a hold of its own. */
final class HeldLevelTest {
    private static final Patience AT_ONCE = new Patience(Duration.ZERO, null);

    private final RedisServer redis = RedisServer.builder().start();
    private final Holdfast client = Holdfast.builder()
            .redisUri(redis.uri())
            .watchdogTimeout(Duration.ofMillis(600)) // a loss is known soon
            .build();
    private final Holdfast rival = Holdfast.connect(redis.uri());
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
        return Objects.requireNonNull(HeldLevel.enter(lock, AT_ONCE), "the lock is free");
    }

    /** Deletes the lock, and returns when the client knows. */
    private void lose() {
        assertThat(lockOfRival.forceUnlock()).isTrue();
        await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
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
        assertThatThrownBy(() -> HeldLevel.enter(lock, AT_ONCE)).isInstanceOf(LeaseLostException.class);
        assertThat(next.isValid()).isTrue();
        next.close();
        assertLostOnce(outer);
    }

    /** A hold that is lost between the check and the attempt makes that a new hold, which is released. */
    @Test
    void enter_lostBeforeAttempt() throws InterruptedException {
        HeldLevel outer = enter();
        assertThatThrownBy(() -> HeldLevel.enter(lostBeforeAttempt(), AT_ONCE)).isInstanceOf(LeaseLostException.class);
        assertThat(lockOfRival.isLocked()).isFalse();
        assertLostOnce(outer);
    }
}
