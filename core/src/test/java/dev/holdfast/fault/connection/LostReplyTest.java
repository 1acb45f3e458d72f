package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.LockHolder;
import dev.holdfast.LockKinds;
import dev.holdfast.testkit.Direction;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis has executed a command, and its reply is lost or late: every command counts once. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class LostReplyTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.hastyClient();
    private final DistributedLock lock;
    private final LockKinds kind;

    LostReplyTest(LockKinds kind) {
        this.kind = kind;
        this.lock = kind.lock(client, NAME);
    }

    /** A timed attempt is retried when a connection has fallen silent, and holds once. */
    @Test
    void acquire_silent_timedRetries() throws Exception {
        faulty.proxy().swallowReplyTo(NAME);

        assertThat(lock.tryLock(Duration.ofSeconds(10))).isTrue();

        assertHeld(1);
        lock.unlock();
    }

    /** An acquire without a deadline fails after the command timeout, and a grant that Redis made is released. */
    @Test
    void acquire_silent_failsAndLeavesNothing() {
        faulty.proxy().swallowReplyTo(NAME);

        assertThatThrownBy(lock::lock)
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, client.clientId(), "no answer");

        faulty.assertOrphanCleaned(lock);
    }

    /**
     * A lease counts from the time its command was sent, however late the reply: Redis may have executed it at once.
     */
    @Test
    void acquire_lateAnswer_leaseCountsFromTheSend() {
        Duration late = COMMAND_TIMEOUT.dividedBy(2);
        Duration length = Duration.ofSeconds(2);
        faulty.proxy().delay(Direction.REPLIES, late);

        Lease lease = lock.acquire(length);

        assertThat(lease.remaining()).isLessThanOrEqualTo(length.minus(late));
        lease.close();
    }

    /** A lease that had expired before the reply arrived is not granted to the caller. */
    @Test
    void acquire_answerAfterTheLease_fails() {
        faulty.proxy().delay(Direction.REPLIES, COMMAND_TIMEOUT.dividedBy(2));

        assertThatThrownBy(() -> lock.lock(COMMAND_TIMEOUT.dividedBy(4)))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "had run out");

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    }

    /** A re-entry that failed for lack of a reply adds no level, whatever the count in Redis is. */
    @Test
    void reentry_silent_failsAndAddsNothing() {
        lock.lock();
        faulty.proxy().swallowReplyTo(NAME);

        assertThatThrownBy(lock::lock).isInstanceOf(LockException.class);

        assertThat(lock.getHoldCount()).isEqualTo(1);
        eventually(client::isConnected);
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /** A release without any reply fails with that reason; the lock is free all the same, and the level is gone. */
    @Test
    void release_silent_failsAndIsFree() {
        lock.lock();
        faulty.proxy().swallowReplyTo(NAME);

        assertThatThrownBy(lock::unlock)
                .isInstanceOf(LockException.class)
                .hasMessageContaining("the client retries the release");

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(faulty.keys()).isEmpty();
    }

    /** A renewal without a reply is not a loss: it is retried, and the lease continues. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void renewal_leaseSurvives(boolean cut) {
        faulty.close(client);
        Holdfast hasty = faulty.hastyClient(SHORT);
        DistributedLock held = kind.lock(hasty, NAME);
        held.lock();
        eventually(() -> faulty.events().renewals() > 0);
        if (cut) {
            faulty.proxy().cutInsteadOfReplyTo(NAME);
        } else {
            faulty.proxy()
                    .matching(connection -> connection.commands("EVALSHA") > 0)
                    .drop(Direction.REPLIES);
        }

        eventually(() -> hasty.stats().unknownOutcomes() > 0);
        long before = hasty.stats().renewals();
        eventually(() -> hasty.stats().renewals() >= before + 2);

        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
        held.unlock();
    }

    /** A query fails after the command timeout. */
    @Test
    void isLocked_silent_fails() {
        faulty.proxy().swallowReplyTo(NAME);

        assertThatThrownBy(lock::isLocked).isInstanceOf(LockException.class).hasMessageContainingAll(NAME, "no answer");
    }

    private void assertHeld(int count) {
        assertThat(lock.getHoldCount()).isEqualTo(count);
        assertThat(lock.inspect().holdCount()).isEqualTo(count);
        assertThat(lock.inspect().holder().map(LockHolder::owner))
                .contains(client.clientId() + ":" + Thread.currentThread().getId());
    }
}
