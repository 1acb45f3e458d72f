package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that does not wait for the reply to a release still releases, and still reports failures. */
@Tag("fault")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class ReleasesTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client(builder -> builder.awaitReleases(false));
    private final DistributedLock lock = client.getLock(NAME);

    /** The unlock returns before Redis can have replied, and the lock is free once it has. */
    @Test
    void unlock_returnsBeforeTheAnswer() {
        lock.lock();
        faulty.proxy().holdRequests();

        lock.unlock();

        assertThat(faulty.server().keys()).containsExactly(NAME);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        faulty.proxy().releaseRequests();
        eventually(() -> faulty.server().keys().isEmpty());
    }

    /** An unlock of a lock that is known not to be held throws at once. */
    @Test
    void unlock_notHeld_throws() {
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** The loss of a lock before its release is published to the listener; the unlock returns normally. */
    @Test
    void unlock_lost_throws() {
        lock.lock();
        faulty.server().command("DEL", NAME);
        faulty.proxy().holdRequests();

        lock.unlock();

        faulty.proxy().releaseRequests();
        eventually(() -> faulty.events().lost().equals(List.of(LossReason.GONE)));
    }

    /** The same owner's next acquire takes effect after the release, and holds. */
    @Test
    void lock_afterUnlock_holdsAgain() {
        for (int i = 0; i < 100; i++) {
            lock.lock();
            lock.unlock();
        }
        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }
}
