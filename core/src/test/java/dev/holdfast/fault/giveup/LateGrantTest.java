package dev.holdfast.fault.giveup;

import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LockKinds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis has granted a lock to a caller that had given up by then: it has no owner, and the grant is released. */
@Tag("fault")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class LateGrantTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final DistributedLock lock;

    LateGrantTest(LockKinds kind) {
        this.lock = kind.lock(faulty.hastyClient(), NAME);
    }

    /** A caller whose wait was over before the late grant arrived does not hold the lock, nor does any other owner. */
    @Test
    void abandoned_timedOut_leavesNothing() {
        faulty.proxy().swallowReplyTo(NAME);

        assertThatThrownBy(() -> assertThat(lock.tryLock(Duration.ofMillis(50))).isFalse())
                .isInstanceOf(LockException.class);

        faulty.assertOrphanCleaned(lock);
    }

    /** The same with a reply that is late instead of lost. */
    @Test
    void abandoned_late_leavesNothing() {
        faulty.proxy().holdRequests();

        assertThatThrownBy(() -> assertThat(lock.tryLock(Duration.ofMillis(50))).isFalse())
                .isInstanceOf(LockException.class);
        faulty.proxy().releaseRequests();

        faulty.assertOrphanCleaned(lock);
    }

    /** An interrupt ends an acquire whose grant is in flight, and the grant is released. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void abandoned_interrupted_leavesNothing(boolean timed) {
        faulty.proxy().swallowReplyTo(NAME);
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> acquired = elsewhere(() -> {
            thread.complete(Thread.currentThread());
            if (timed) {
                return lock.tryLock(LONG);
            }
            lock.lockInterruptibly();
            return true;
        });
        eventually(() -> faulty.proxy().lostReplies() == 1);

        get(thread).interrupt();

        assertThatThrownBy(() -> get(acquired)).hasCauseInstanceOf(InterruptedException.class);
        faulty.assertOrphanCleaned(lock);
    }

    /** A cancelled future acquires nothing, although Redis granted the lock. */
    @Test
    void abandoned_cancelled_leavesNothing() {
        faulty.proxy().swallowReplyTo(NAME);
        CompletableFuture<Lease> acquired = lock.acquireAsync();
        eventually(() -> faulty.proxy().lostReplies() == 1);

        assertThat(acquired.cancel(true)).isTrue();

        faulty.assertOrphanCleaned(lock);
    }
}
