package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** In an outage, calls fail after the command timeout, which is short here. */
final class TestRedisOutageTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final HoldfastExtension EXTENSION = HoldfastExtension.with(
            TestRedis.builder().settings(client -> client.commandTimeout(Duration.ofSeconds(1))));

    private final TestRedis redis;
    private final DistributedLock lock;

    TestRedisOutageTest(TestRedis redis, Holdfast holdfast) {
        this.redis = redis;
        this.lock = holdfast.getLock("orders");
    }

    /** If the client cannot be asked whether the lock is busy, the other owner does not keep it. */
    @Test
    void busy_duringAPartition() {
        redis.partition();
        assertThatThrownBy(() -> redis.busy(lock)).isInstanceOf(LockException.class);
        assertThat(redis.server().keys()).isEmpty();
        redis.heal();
    }

    /** During a partition a call fails after the command timeout; after it, the same client works again. */
    @Test
    void partition_untilHealed() {
        redis.partition();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockException.class);
        redis.heal();
        await().atMost(SOON).until(redis.client()::isConnected);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    /** A paused server replies to nobody, and continues when it is resumed. */
    @Test
    void pause_untilResumed() {
        redis.pause();
        assertThat(redis.server().isPaused()).isTrue();
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockException.class);
        redis.resume();
        await().atMost(SOON).until(redis.client()::isConnected);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }
}
