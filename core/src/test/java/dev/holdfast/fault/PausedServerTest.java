package dev.holdfast.fault;

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
    final FaultyRedis day = new FaultyRedis();

    /** An acquire fails about a command timeout after the call, and the client works again when the server does. */
    @Test
    void lock_failsPromptly() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        day.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::lock);

        assertWorksAgain(lock);
    }

    /** An outage is not "busy": an attempt without a wait throws as well. */
    @Test
    void tryLock_failsPromptly_neverFalse() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        day.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, () -> assertThat(lock.tryLock()).isFalse());
        // The second attempt finds the connection gone already.
        assertFailsAfter(COMMAND_TIMEOUT, () -> assertThat(lock.tryLock()).isFalse());

        assertWorksAgain(lock);
    }

    /** A timed acquire that never got a reply from Redis throws at its deadline. */
    @Test
    void timedTryLock_failsAtItsDeadline_neverFalse() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        Duration wait = COMMAND_TIMEOUT.multipliedBy(3);
        day.server().pause();

        assertFailsAfter(wait, () -> assertThat(lock.tryLock(wait)).isFalse());

        assertWorksAgain(lock);
    }

    /** A reply from before an outage does not count for the end of it: a wait that ends in the outage throws. */
    @Test
    void timedTryLock_outageWhileWaiting_failsAtItsDeadline_neverFalse() {
        Lease holder = kind.lock(day.bystander(), NAME).acquire();
        Holdfast client = day.client();
        Duration wait = COMMAND_TIMEOUT.multipliedBy(4);
        long start = System.nanoTime();
        CompletableFuture<Boolean> acquired =
                elsewhere(() -> kind.lock(client, NAME).tryLock(wait));
        day.awaitWaiting(client, 1);
        day.server().pause();

        assertThatThrownBy(() -> get(acquired))
                .isInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "no answer");

        assertThat(since(start)).isBetween(wait, wait.plus(SLACK));
        day.server().resume();
        holder.close();
    }

    /** A wait that ends soon after Redis replied that the lock is busy returns false, outage or not. */
    @Test
    void timedTryLock_outageAfterRecentAnswer_isFalse() {
        Lease holder = kind.lock(day.bystander(), NAME).acquire();
        Holdfast client = day.client(builder -> builder.watchdogTimeout(LONG).commandTimeout(Duration.ofSeconds(3)));
        CompletableFuture<Boolean> acquired =
                elsewhere(() -> kind.lock(client, NAME).tryLock(Duration.ofSeconds(1)));
        day.awaitWaiting(client, 1);
        day.server().pause();

        assertThat(get(acquired)).isFalse();

        day.server().resume();
        holder.close();
    }

    /** A waiter without a deadline goes on waiting through an outage in which it had no command to send. */
    @Test
    void waiter_survives() {
        Lease holder = kind.lock(day.bystander(), NAME).acquire();
        Holdfast client = day.client();
        CompletableFuture<Lease> acquired = kind.lock(client, NAME).acquireAsync();
        day.awaitWaiting(client, 1);
        day.server().pause();
        // Another call of the same client detects the outage.
        assertThatThrownBy(kind.lock(client, "another")::lock).isInstanceOf(LockException.class);

        day.server().resume();
        holder.close();

        get(acquired, SOON).close();
    }

    /** A hold survives a server that is paused for less than the lease. */
    @Test
    void hold_shortOutage_survives() {
        Holdfast client = day.client(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        lock.lock();
        day.server().pause();
        eventually(() -> client.stats().unknownOutcomes() > 0);

        day.server().resume();

        eventually(() -> client.stats().renewals() > 0);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(day.heard().lost()).isEmpty();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
    }

    /**
     * A hold is lost when its lease has passed without a reply, no later, and its holder can see that by every method.
     */
    @Test
    void hold_longOutage_isLostWhenTheLeaseHasPassed() {
        Holdfast client = day.client(SHORT);
        DistributedLock lock = kind.lock(client, NAME);
        Lease lease = kind.lock(client, "handle").acquire();
        lock.lock();
        day.server().pause();
        long paused = System.nanoTime();

        LeaseLoss loss = get(lease.lost().toCompletableFuture());

        assertThat(loss.reason()).isEqualTo(LossReason.UNREACHABLE);
        assertThat(loss.sinceConfirmed()).isBetween(SHORT.minus(SHORT.dividedBy(50)), SHORT.plus(SLACK));
        assertThat(since(paused)).isLessThan(SHORT.plus(SLACK));
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        eventually(() -> day.heard().lost().size() == 2);
        assertThat(day.heard().lost()).containsOnly(LossReason.UNREACHABLE);
        assertThat(day.heard().risks()).isEqualTo(2);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.getHoldCount()).isZero();
        assertUnreachable(lock::unlock);
        assertUnreachable(lease::close);
    }

    /** Before the key expires in Redis, the holder's lease has been invalid for a while. */
    @Test
    void hold_longOutage_isInvalidBeforeAnotherCanHaveIt() {
        Holdfast client = day.client(SHORT);
        Lease lease = kind.lock(client, NAME).acquire();
        day.commandConnection().blackHole();
        day.proxy().refuse();
        DistributedLock others = kind.lock(day.bystander(), NAME);

        Lease next = others.acquire();

        assertThat(lease.isValid()).isFalse();
        next.close();
        day.proxy().accept();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** An unlock without a reply throws, and the lock is free once the server goes on. */
    @Test
    void unlock_failsPromptly_andReleasesLater() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        lock.lock();
        day.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::unlock);

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        day.server().resume();
        eventually(() -> day.keys().isEmpty());
        assertWorksAgain(lock);
    }

    /** Queries and forced unlocks fail in time as well. */
    @Test
    void looking_failsPromptly() {
        DistributedLock lock = kind.lock(day.client(), NAME);
        day.server().pause();

        assertFailsAfter(COMMAND_TIMEOUT, lock::isLocked);
        assertFailsAfter(COMMAND_TIMEOUT, lock::forceUnlock);
        assertFailsAfter(COMMAND_TIMEOUT, () -> get(lock.inspectAsync()));
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
        day.server().resume();
        eventually(() -> {
            Optional<Lease> lease = lock.tryAcquire(SOON);
            lease.ifPresent(Lease::close);
            return lease.isPresent();
        });
    }
}
