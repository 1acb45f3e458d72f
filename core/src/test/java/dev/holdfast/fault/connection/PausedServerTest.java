package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.SHORT;
import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static dev.holdfast.FaultyRedis.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LockKinds;
import dev.holdfast.LossReason;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The server is paused and its connections stay open: nothing is answered, and no error shows why. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
@ParameterizedClass
@EnumSource(LockKinds.class)
class PausedServerTest {
    private static final String NAME = "orders:42";

    /** What a busy machine may add to a command timeout. */
    private static final Duration SLACK = Duration.ofSeconds(1);

    @Parameter
    LockKinds kind = LockKinds.PLAIN;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    /** An acquire fails about a command timeout after the call, and the client works again when the server does. */
    @RealTime
    void lock_failsPromptly() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        faulty.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::lock);

        assertWorksAgain(lock);
    }

    /** An outage is not "busy": an attempt without a wait throws as well. */
    @RealTime
    void tryLock_failsPromptly_neverFalse() {
        DistributedLock lock = idleLock();
        faulty.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, () -> assertThat(lock.tryLock()).isFalse());
        // The second attempt finds the connection gone already, for a command timeout perhaps.
        assertFailsAfter(Duration.ZERO, () -> assertThat(lock.tryLock()).isFalse());

        assertWorksAgain(lock);
    }

    /** A timed acquire that never got a reply from Redis throws at its deadline. */
    @RealTime
    void timedTryLock_failsAtItsDeadline_neverFalse() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        Duration wait = COMMAND_TIMEOUT.multipliedBy(3);
        faulty.server().pause();

        assertFailsAfter(wait, () -> assertThat(lock.tryLock(wait)).isFalse());

        assertWorksAgain(lock);
    }

    /** A reply from before an outage does not count for the end of it: a wait that ends in the outage throws. */
    @RealTime
    void timedTryLock_outageWhileWaiting_failsAtItsDeadline_neverFalse() {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.hastyClient();
        Duration wait = COMMAND_TIMEOUT.multipliedBy(4);
        long start = System.nanoTime();
        CompletableFuture<Boolean> acquired =
                elsewhere(() -> kind.lock(client, NAME).tryLock(wait));
        faulty.awaitWaiting(client, 1);
        faulty.server().pause();

        assertThatThrownBy(() -> get(acquired))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "no answer");

        assertThat(since(start)).isBetween(wait, wait.plus(SLACK));
        faulty.server().resume();
        holder.close();
    }

    /** A wait that ends soon after Redis replied that the lock is busy returns false, outage or not. */
    @RealTime
    void timedTryLock_outageAfterRecentAnswer_isFalse() {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.client(builder -> builder.watchdogTimeout(LONG).commandTimeout(Duration.ofSeconds(3)));
        CompletableFuture<Boolean> acquired =
                elsewhere(() -> kind.lock(client, NAME).tryLock(Duration.ofSeconds(1)));
        faulty.awaitWaiting(client, 1);
        faulty.server().pause();

        assertThat(get(acquired)).isFalse();

        faulty.server().resume();
        holder.close();
    }

    /** A waiter without a deadline continues to wait through an outage that is shorter than the failover timeout. */
    @RealTime
    void waiter_survives() {
        Lease holder = kind.lock(faulty.bystander(), NAME).acquire();
        Holdfast client = faulty.client(builder ->
                builder.watchdogTimeout(LONG).commandTimeout(COMMAND_TIMEOUT).failoverTimeout(LONG.dividedBy(4)));
        CompletableFuture<Lease> acquired = kind.lock(client, NAME).acquireAsync();
        faulty.awaitWaiting(client, 1);
        faulty.server().pause();
        // Another call of the same client detects the outage.
        assertThatThrownBy(kind.lock(client, "another")::tryLock).isInstanceOf(LockException.class);

        faulty.server().resume();
        holder.close();

        get(acquired, SOON).close();
    }

    /** A hold survives a server that is paused for less than the lease. */
    @RealTime
    void hold_shortOutage_survives() {
        Holdfast client = faulty.hastyClient(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        lock.lock();
        faulty.server().pause();
        eventually(() -> client.stats().unknownOutcomes() > 0);

        faulty.server().resume();

        eventually(() -> client.stats().renewals() > 0);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /**
     * A hold is lost when its lease has passed without a reply, no later, and its holder can see that by every method.
     */
    @RealTime
    void hold_longOutage_isLostWhenTheLeaseHasPassed() {
        Holdfast client = faulty.hastyClient(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        Lease lease = kind.lock(client, "handle").acquire();
        lock.lock();
        faulty.server().pause();
        long paused = System.nanoTime();

        LeaseLoss loss = get(lease.lost().toCompletableFuture());

        assertThat(loss.reason()).isEqualTo(LossReason.UNREACHABLE);
        assertThat(loss.sinceConfirmed()).isBetween(SHORT.minus(SHORT.dividedBy(50)), SHORT.plus(SLACK));
        assertThat(since(paused)).isLessThan(SHORT.plus(SLACK));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        eventually(() -> faulty.events().lost().size() == 2);
        assertThat(faulty.events().lost()).containsOnly(LossReason.UNREACHABLE);
        assertThat(faulty.events().risks()).isEqualTo(2);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertUnreachable(lock::unlock);
        assertUnreachable(lease::close);
    }

    /** Before the key expires in Redis, the holder's lease has been invalid for a while. */
    @Test
    void hold_longOutage_isInvalidBeforeAnotherCanHaveIt() {
        Holdfast client = faulty.hastyClient(SHORT);
        Lease lease = kind.lock(client, NAME).acquire();
        faulty.commandConnection().blackHole();
        faulty.proxy().refuse();
        DistributedLock others = kind.lock(faulty.bystander(), NAME);

        Lease next = others.acquire();

        assertThat(lease.isValid()).isFalse();
        next.close();
        faulty.proxy().accept();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** An unlock without a reply throws, and the lock is free once the server is resumed. */
    @RealTime
    void unlock_failsPromptly_andReleasesLater() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        lock.lock();
        faulty.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::unlock);

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        faulty.server().resume();
        eventually(() -> faulty.keys().isEmpty());
        assertWorksAgain(lock);
    }

    /** Queries and forced unlocks fail in time as well, and at once when there has been no connection for so long. */
    @RealTime
    void queries_failPromptly() {
        DistributedLock lock = idleLock();
        faulty.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::isLocked);
        assertFailsAfter(Duration.ZERO, lock::forceUnlock);
        assertFailsAfter(Duration.ZERO, () -> get(lock.inspectAsync()));
    }

    /**
     * {@return a lock whose client waits for no reply} Of the calls that were sent when the connection was opened, the
     * last may be unanswered when the client is returned, and the timeout of a connection counts from its oldest call.
     */
    private DistributedLock idleLock() {
        DistributedLock lock = kind.lock(faulty.hastyClient(), NAME);
        assertThat(lock.isLocked()).isFalse();
        return lock;
    }

    private static void assertFailsAfter(Duration expected, ThrowingCallable call) {
        long start = System.nanoTime();
        assertThatThrownBy(call).isInstanceOf(LockException.class).hasMessageContaining(NAME);
        // The tick of the timer may be slightly before the clock of the test.
        assertThat(since(start)).isBetween(expected.minusMillis(20), expected.plus(SLACK));
    }

    private static void assertUnreachable(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                .isEqualTo(LossReason.UNREACHABLE));
    }

    private void assertWorksAgain(DistributedLock lock) {
        faulty.server().resume();
        eventually(() -> {
            Optional<Lease> lease = lock.tryAcquire(SOON);
            lease.ifPresent(Lease::close);
            return lease.isPresent();
        });
    }
}
