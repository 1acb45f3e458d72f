package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.WrongKindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A name that is in use for a lock of another kind is refused, and the message says which the two are. */
@Tag("client")
final class WrongKindTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Holdfast client = redis.client(SharedRedis::brisk);

    /** In place of whatever holds it, so that no waiter finds the lock free. */
    private void holdReadWriteLock(String mode) {
        String replace = """
                redis.call('DEL', KEYS[1])
                redis.call('HSET', KEYS[1], 'mode', ARGV[1], 'other:1:write', 1)
                redis.call('PEXPIRE', KEYS[1], 60000)""";
        redis.server().command("EVAL", replace, "1", redis.name(), mode);
    }

    @AfterEach
    void removeOtherLock() {
        redis.server().command("DEL", redis.name());
    }

    private void assertRefused(String kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(WrongKindException.class)
                .hasMessageContaining(redis.name())
                .hasMessageContaining("in use as another kind of lock, the read-write lock")
                .hasMessageContaining("requested as the " + kind + " lock")
                .extracting(e -> ((WrongKindException) e).names())
                .isEqualTo(List.of(redis.name()));
    }

    /** Neither a call that waits nor one that does not gets a lock of this name, and the key stays as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"read", "write", "shared"})
    void lock_onReadWriteLock_isRefused(String mode) {
        holdReadWriteLock(mode);
        DistributedLock plain = client.getLock(redis.name());
        assertRefused("plain", plain::tryLock);
        assertRefused("plain", plain::lock);
        assertRefused("plain", () -> plain.tryAcquire(Duration.ofSeconds(5)));
        assertRefused("fenced", () -> client.getFencedLock(redis.name()).acquire());
        assertRefused("plain", plain::forceUnlock);
        assertRefused("fenced", () -> client.getFencedLock(redis.name()).forceUnlock());
        assertThat(redis.server().command("HGET", redis.name(), "mode")).isEqualTo(mode);
    }

    /** The same in a set of locks that are acquired by one command. */
    @Test
    void multiLock_onReadWriteLock_isRefused() {
        holdReadWriteLock("write");
        DistributedLock other = client.getLock(redis.name() + ":other");
        assertRefused("plain", () -> Holdfast.multiLock(other, client.getLock(redis.name()))
                .acquire());
        assertThat(other.isLocked()).isFalse();
    }

    /** Those that wait behind one whose attempt was refused end as it does. */
    @Test
    void waiters_areRefusedLikewise() {
        DistributedLock plain = client.getLock(redis.name());
        Lease holder = redis.lock().acquire();
        List<CompletableFuture<Lease>> waiting = List.of(plain.acquireAsync(), plain.acquireAsync());
        Patience.await().until(() -> client.stats().waiters() == 2);
        holdReadWriteLock("write");
        redis.server().command("PUBLISH", "redisson_lock__channel:{" + redis.name() + "}", "0");
        for (CompletableFuture<Lease> each : waiting) {
            assertThatThrownBy(() -> Patience.get(each)).isExactlyInstanceOf(WrongKindException.class);
        }
        assertThatThrownBy(holder::close).isInstanceOf(LeaseLostException.class);
    }
}
