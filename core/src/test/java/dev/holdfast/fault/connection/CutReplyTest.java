package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockKinds;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Redis has executed a command, and the connection ends instead of the reply: every command counts once. */
@Tag("fault")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class CutReplyTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.patientClient();
    private final DistributedLock lock;
    private final LockKinds kind;

    CutReplyTest(LockKinds kind) {
        this.kind = kind;
        this.lock = kind.lock(client, NAME);
    }

    /** An acquire whose reply was lost with its connection is held once, and one unlock frees it. */
    @Test
    void acquire_countsOnce() {
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        lock.lock();

        assertHeld(1);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** The same for an acquire of a lease handle. */
    @Test
    void acquire_ofHandle_countsOnce() {
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        try (Lease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lock.inspect().holdCount()).isEqualTo(1);
        }

        assertThat(lock.isLocked()).isFalse();
    }

    /** A re-entry whose reply was lost adds one level, not two. */
    @Test
    void reentry_countsOnce() {
        lock.lock();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        lock.lock();

        assertHeld(2);
        lock.unlock();
        assertHeld(1);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A partial release whose reply was lost removes one level, not two. */
    @Test
    void partialRelease_countsOnce() {
        lock.lock();
        lock.lock();
        lock.lock();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        lock.unlock();

        assertHeld(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A release that took effect succeeds, although its second sending finds nothing to release. */
    @Test
    void release_succeeds() {
        lock.lock();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        lock.unlock();

        assertThat(lock.isLocked()).isFalse();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /** A release whose second sending meets the next holder succeeds, and does not affect that holder. */
    @Test
    void release_leavesTheNextHolderAlone() {
        lock.lock();
        CompletableFuture<Lease> next = kind.lock(faulty.bystander(), NAME).acquireAsync();
        eventually(() -> !faulty.server().channels().isEmpty());
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        CompletableFuture<?> released = lock.unlockAsync();
        Lease others = get(next);
        faulty.proxy().accept();

        get(released);
        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        others.close();
    }

    /** A second forced unlock could hit the next holder, so it is sent once, and fails with an unknown outcome. */
    @Test
    void forceUnlock_isNotRepeated() {
        DistributedLock others = kind.lock(faulty.bystander(), NAME);
        Lease forced = others.acquire();
        CompletableFuture<Lease> next = others.acquireAsync();
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        assertThatThrownBy(lock::forceUnlock).isInstanceOf(LockException.class).hasMessageContaining(NAME);
        Lease following = get(next);
        faulty.proxy().accept();
        eventually(client::isConnected);

        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        assertThatThrownBy(forced::close).isInstanceOf(LeaseLostException.class);
        following.close();
    }

    /** An inspection has no effect, so one whose reply was lost is repeated over the next connection. */
    @Test
    void inspect_isRepeated() {
        lock.lock();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        LockInfo seen = lock.inspect();

        assertThat(seen.holdCount()).isEqualTo(1);
        assertThat(seen.listeners()).hasValue(0);
        lock.unlock();
    }

    private void assertHeld(int count) {
        assertThat(lock.getHoldCount()).isEqualTo(count);
        assertThat(lock.inspect().holdCount()).isEqualTo(count);
        assertThat(lock.inspect().holder().map(LockHolder::owner))
                .contains(client.clientId() + ":" + Thread.currentThread().getId());
    }
}
