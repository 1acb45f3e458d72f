package dev.holdfast.client;

import static dev.holdfast.SharedRedis.BRISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.FencedOwnedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockHolder;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tokens of fenced locks. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
final class FencedLockTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final FencedLock lock = redis.client().getFencedLock(redis.name());
    private final FencedLock rivals = redis.rival().getFencedLock(redis.name());

    /** Each hold has a larger token than the one before, whoever owns it and however it is acquired. */
    @Test
    void token_growsWithEachHold() throws InterruptedException {
        long first = lock.lockAndGetToken();
        lock.unlock();
        long second = rivals.lockAndGetToken(LEASE);
        rivals.unlock();
        long third = lock.tryLockAndGetToken().orElseThrow();
        lock.unlock();
        long fourth = rivals.tryLockAndGetToken(LEASE).orElseThrow();
        rivals.unlock();
        long fifth = lock.tryLockAndGetToken(LEASE, LEASE).orElseThrow();
        lock.unlock();
        Lease lease = rivals.acquire();
        long sixth = lease.token();
        lease.close();
        long seventh = Patience.get(lock.lockAndGetTokenAsync());
        lock.unlock();
        long eighth = Patience.get(rivals.tryLockAndGetTokenAsync(LEASE)).orElseThrow();
        rivals.unlock();

        assertThat(List.of(first, second, third, fourth, fifth, sixth, seventh, eighth))
                .allMatch(token -> token > 0)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    /** A re-entry returns the token of its hold, by whichever method it enters. */
    @Test
    void token_ofReentry_isTheSame() throws InterruptedException {
        long token = lock.lockAndGetToken();

        assertThat(lock.lockAndGetToken()).isEqualTo(token);
        assertThat(lock.lockAndGetToken(LEASE)).isEqualTo(token);
        assertThat(lock.tryLockAndGetToken()).hasValue(token);
        assertThat(lock.tryLockAndGetToken(LEASE)).hasValue(token);
        assertThat(Patience.get(lock.lockAndGetTokenAsync())).isEqualTo(token);
        assertThat(Patience.get(lock.tryLockAndGetTokenAsync())).hasValue(token);
        lock.lock();
        for (int level = lock.getHoldCount(); level > 0; level--) {
            assertThat(lock.getToken()).isEqualTo(token);
            lock.unlock();
        }
        assertThatThrownBy(lock::getToken).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** If the lock is busy there is no token, and the attempt draws none. */
    @RealTime
    void token_busy_isEmpty() throws InterruptedException {
        long before;
        try (Lease holder = rivals.acquire()) {
            before = holder.token();
            assertThat(lock.tryLockAndGetToken()).isEmpty();
            assertThat(lock.tryLockAndGetToken(Duration.ofMillis(20))).isEmpty();
            assertThat(lock.tryLockAndGetToken(Duration.ofMillis(20), LEASE)).isEmpty();
            assertThat(Patience.get(lock.tryLockAndGetTokenAsync())).isEmpty();
            assertThat(Patience.get(lock.tryLockAndGetTokenAsync(Duration.ofMillis(20), LEASE)))
                    .isEmpty();
            assertThat(redis.server().command("GET", tokensKey())).isEqualTo(String.valueOf(before));
        }
    }

    /**
     * The token of a thread's hold is visible to that thread only: other threads, leases and owner ids have none or
     * their own.
     */
    @Test
    void getToken_isTheCallersOwn() {
        Worker other = redis.worker();
        long token = lock.lockAndGetToken();
        assertThatThrownBy(() -> other.does(lock::getToken)).isInstanceOf(IllegalMonitorStateException.class);
        CompletableFuture<Lease> next = lock.acquireAsync();
        assertThat(lock.getToken()).isEqualTo(token);
        lock.unlock();

        Lease lease = Patience.get(next);
        assertThat(lease.token()).isGreaterThan(token);
        assertThatThrownBy(lock::getToken).isInstanceOf(IllegalMonitorStateException.class);
        lease.close();
        assertThat(lease.token()).isGreaterThan(token);
    }

    /**
     * A holder whose lease has expired gets an exception instead of its token; its handle still returns the token,
     * which protected resources then reject.
     */
    @RealTime
    void getToken_lost() {
        long thread = Thread.currentThread().getId();
        lock.lock(BRISK);
        Patience.await().until(() -> !lock.isHeldBy(thread));
        assertThatThrownBy(lock::getToken).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);

        Lease lease = lock.acquire(BRISK);
        long token = lease.token();
        Patience.await().until(() -> !lease.isValid());
        assertThat(lease.token()).isEqualTo(token);
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** An owner id has its own token too, and so have its waiters. */
    @Test
    void ownedBy_hasItsToken() {
        FencedOwnedLock owner = lock.ownedBy(redis.client().newOwnerId());
        FencedOwnedLock waiter = lock.ownedBy(redis.client().newOwnerId());
        assertThatThrownBy(owner::getToken).isInstanceOf(IllegalMonitorStateException.class);

        long token = Patience.get(owner.lockAndGetTokenAsync());
        assertThat(owner.getToken()).isEqualTo(token);
        assertThat(Patience.get(owner.tryLockAndGetTokenAsync())).hasValue(token);
        assertThat(Patience.get(waiter.tryLockAndGetTokenAsync())).isEmpty();
        CompletableFuture<OptionalLong> waiting = waiter.tryLockAndGetTokenAsync(LEASE, LEASE);
        Patience.get(owner.unlockAsync());
        Patience.get(owner.unlockAsync());

        assertThat(Patience.get(waiting).orElseThrow()).isGreaterThan(token);
        Patience.get(waiter.unlockAsync());
    }

    /** Only leases of a fenced lock have tokens; the exception of other leases names the method that provides them. */
    @Test
    void token_ofPlainLease_isRefused() {
        try (Lease lease = redis.lock().acquire()) {
            assertThatThrownBy(lease::token)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContainingAll(redis.name(), "getFencedLock");
        }
    }

    /**
     * The last token stays under a key with the lock's hash tag and the client's prefix, which is not itself the key of
     * a lock.
     */
    @Test
    void tokens_key() {
        Holdfast prefixed = redis.client(builder -> builder.keyPrefix("shop:"));
        long token;
        try (Lease lease = prefixed.getFencedLock(redis.name()).acquire()) {
            token = lease.token();
        }
        assertThat(redis.server().command("GET", "redisson_lock_token:{shop:" + redis.name() + "}"))
                .isEqualTo(String.valueOf(token));
        assertThat(redis.server().command("PTTL", "redisson_lock_token:{shop:" + redis.name() + "}"))
                .isEqualTo(-1L);
    }

    /** The plain and the fenced lock of one name exclude each other; each is reported as held by the other. */
    @Test
    void plain_isTheSameLock() {
        DistributedLock plain = redis.rival().getLock(redis.name());
        try (Lease lease = lock.acquire()) {
            assertThat(plain.tryLock()).isFalse();
            assertThat(plain.inspect().holder().map(LockHolder::owner))
                    .isEqualTo(lock.inspect().holder().map(LockHolder::owner))
                    .isPresent();
            assertThat(plain.inspect().holdCount()).isEqualTo(1);
            assertThat(lease.isValid()).isTrue();
        }
        CompletableFuture<Long> waiting;
        try (Lease lease = plain.acquire()) {
            assertThat(lock.tryLockAndGetToken()).isEmpty();
            waiting = lock.lockAndGetTokenAsync();
            Patience.await().until(() -> redis.client().stats().waiters() == 1);
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(Patience.get(waiting)).isPositive();
        lock.unlock();
    }

    private String tokensKey() {
        return "redisson_lock_token:{" + redis.name() + "}";
    }
}
