package dev.holdfast.fault.release;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
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
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockInfo;
import dev.holdfast.LockKinds;
import dev.holdfast.LossReason;
import dev.holdfast.ReleaseUnconfirmedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases that are closed with a delay, during which the lock stays taken. */
@Tag("fault")
@Tag("driver")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class CloseAfterTest {
    private static final String NAME = "orders:42";
    private static final Duration WHILE = Duration.ofMillis(700);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = faulty.client();
    private final DistributedLock lock = client.getLock(NAME);

    /**
     * The lease is closed at once, the lock cannot be acquired before the delay has passed, and is free then, for every
     * kind of lock.
     */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void keepsOthersOut_forTheDelay(LockKinds kind) {
        DistributedLock cohort = kind.lock(client, NAME);
        Lease lease = cohort.acquire();
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(cohort.tryLock()).isFalse();
        Lease next = kind.lock(faulty.bystander(), NAME).acquire();
        assertThat(since(start)).isBetween(WHILE.minusMillis(1), SOON);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        next.close();
    }

    /** The delay replaces the remaining lease, whether that was longer or shorter. */
    @ParameterizedTest
    @ValueSource(ints = {10, 600})
    void replacesTheLease(int leaseSeconds) {
        Lease lease = lock.acquire(Duration.ofSeconds(leaseSeconds));

        lease.closeAfter(LONG);

        LockInfo seen = lock.inspect();
        assertThat(seen.isLocked()).isTrue();
        assertThat(seen.holdCount()).isEqualTo(1);
        assertThat(seen.remainingLease().orElseThrow()).isBetween(LONG.minusSeconds(5), LONG);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** The first close decides: a later close, of either kind, neither frees the lock nor keeps it taken for longer. */
    @Test
    void again_doesNothing() {
        Lease lease = lock.acquire();
        lease.closeAfter(LONG);

        lease.close();
        lease.closeAfter(Duration.ofMillis(1));
        lease.closeAfter(LONG.multipliedBy(2));
        assertThat(get(lease.releaseAsync())).isNull();
        assertThat(get(lease.closeAfterAsync(Duration.ZERO))).isNull();

        assertThat(remaining()).isBetween(LONG.minusSeconds(5), LONG);
        assertThatThrownBy(() -> lease.extend(LONG)).isExactlyInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** A close with a delay after an ordinary close does nothing. */
    @Test
    void afterClose_doesNothing() {
        Lease lease = lock.acquire();
        lease.close();

        lease.closeAfter(LONG);

        assertThat(lock.isLocked()).isFalse();
    }

    /** A zero or negative delay is an ordinary close: a waiter acquires the lock. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5_000})
    void noTime_closes(long millis) {
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);

        lease.closeAfter(Duration.ofMillis(millis));

        get(waiting).close();
    }

    /** A delay above the limit is rejected, and the lease is unchanged. */
    @Test
    void tooLong_refused() {
        Lease lease = lock.acquire();

        assertThatThrownBy(() -> lease.closeAfter(Duration.ofDays(40_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay must be at most");

        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** A fraction of a millisecond counts as a whole one. */
    @Test
    void lessThanAMillisecond() {
        lock.acquire().closeAfter(Duration.ofNanos(1));

        lock.lock();
        lock.unlock();
    }

    /**
     * A waiter of the same client gets no handoff. It acquires the lock at the end of the delay, not at the end of the
     * longer lease that it knew of.
     */
    @Test
    void waiterHere_getsItAtTheEnd() {
        Lease lease = lock.acquire(LONG);
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        faulty.awaitWaiting(client, 1);
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(get(waiting, SOON).isValid()).isTrue();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        get(waiting).close();
    }

    /** A waiter of another client also wakes at the end of the delay, although the lease it knew of was longer. */
    @Test
    void waiterElsewhere_getsItAtTheEnd() {
        Lease lease = lock.acquire(LONG);
        Holdfast other = faulty.bystander();
        CompletableFuture<Lease> waiting = other.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(other, 1);
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(get(waiting, SOON).isValid()).isTrue();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        get(waiting).close();
    }

    /** A waiter continues to wait when the delay is longer than the lease would have been. */
    @Test
    void waiter_delayLongerThanTheLease() {
        Duration lease = Duration.ofMillis(400);
        Lease held = lock.acquire(lease);
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        long start = System.nanoTime();

        held.closeAfter(lease.plus(WHILE));

        assertThat(get(waiting).isValid()).isTrue();
        assertThat(since(start)).isGreaterThanOrEqualTo(lease.plus(WHILE).minusMillis(1));
        get(waiting).close();
    }

    /** A lost lease does not keep the lock taken, and the caller gets an exception. */
    @Test
    void lost_throws() {
        Lease lease = lock.acquire();
        assertThat(lock.forceUnlock()).isTrue();

        assertThatThrownBy(() -> lease.closeAfter(LONG)).isInstanceOf(LeaseLostException.class);

        assertThat(lock.isLocked()).isFalse();
        lease.close();
    }

    /** The interrupt flag is kept, and the lease is closed all the same. */
    @Test
    void interrupted_isKept() {
        Lease lease = lock.acquire();
        Thread.currentThread().interrupt();

        lease.closeAfter(LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(remaining()).isBetween(LONG.minusSeconds(5), LONG);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** The asynchronous variant has the same effect, and closes the lease at once. */
    @Test
    void async() {
        Lease lease = lock.acquire();

        CompletableFuture<?> closed = lease.closeAfterAsync(LONG);

        assertThat(lease.isValid()).isFalse();
        assertThat(get(closed)).isNull();
        assertThat(remaining()).isBetween(LONG.minusSeconds(5), LONG);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** If the reply is lost, the command is sent again with the rest of the delay; the two count as one close. */
    @Test
    void answerLost_sentAgain() {
        Lease lease = lock.acquire();
        faulty.proxy().cutInsteadOfReplyTo(NAME);

        lease.closeAfter(LONG.dividedBy(2));

        assertThat(remaining()).isBetween(LONG.dividedBy(2).minusSeconds(5), LONG.dividedBy(2));
        assertThat(faulty.events().lost()).isEmpty();
        assertThat(lock.forceUnlock()).isTrue();
    }

    /**
     * If the reply is lost, and the key is gone before the delay has passed, the lock was not kept busy: a loss, with
     * what became of the key as its reason.
     */
    @ParameterizedTest
    @EnumSource(
            value = LossReason.class,
            names = {"GONE", "TAKEN"})
    void answerLost_keyIsGone_isALoss(LossReason reason) {
        DistributedLock elsewhere = faulty.bystander().getLock(NAME);
        CompletableFuture<?> closed = closeWithoutAnswer();
        assertThat(elsewhere.forceUnlock()).isTrue();
        Lease other = reason == LossReason.TAKEN ? elsewhere.acquire() : null;

        faulty.proxy().accept();

        assertLost(closed, reason);
        if (other != null) {
            other.close();
        }
    }

    /** The same for a server that has lost its data. */
    @Test
    void answerLost_serverLosesItsData_isALoss() {
        CompletableFuture<?> closed = closeWithoutAnswer();
        faulty.server().restart();

        faulty.proxy().accept();

        assertLost(closed, LossReason.GONE);
    }

    /** {@return a close whose command was executed, while its answer was lost and there is no connection} */
    private CompletableFuture<?> closeWithoutAnswer() {
        Holdfast patient = faulty.patientClient();
        Lease lease = patient.getLock(NAME).acquire(LONG);
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<?> closed = lease.closeAfterAsync(LONG.multipliedBy(3));
        eventually(() -> faulty.server().command("PTTL", NAME) instanceof Long left && left > LONG.toMillis());
        return closed;
    }

    private static void assertLost(CompletableFuture<?> closed, LossReason reason) {
        assertThatThrownBy(() -> get(closed)).isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(
                        lost.loss().reason())
                .isEqualTo(reason));
    }

    /**
     * If the reply is lost and the delay has passed before there is a connection again, the lock is free, and that is
     * no loss.
     */
    @Test
    void answerLost_delayPassedMeanwhile() {
        Lease lease = lock.acquire();
        faulty.proxy().refuse();
        faulty.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<?> closed = lease.closeAfterAsync(Duration.ofMillis(50));
        eventually(() -> faulty.keys().isEmpty());

        faulty.proxy().accept();

        assertThat(get(closed)).isNull();
        assertThat(faulty.events().lost()).isEmpty();
    }

    /**
     * Without a reply in time the call fails; the lock stays taken until the delay has passed, and can then be
     * acquired.
     */
    @Test
    void noAnswer_releasedAtTheEnd() {
        Duration delay = COMMAND_TIMEOUT.multipliedBy(4);
        Lease lease = lock.acquire(LONG);
        long start = System.nanoTime();
        faulty.proxy().blackHole();

        assertThatThrownBy(() -> lease.closeAfter(delay))
                .isInstanceOf(ReleaseUnconfirmedException.class)
                .hasMessageContaining("may be free before the delay has passed");
        faulty.proxy().heal();

        assertThat(lease.isValid()).isFalse();
        Lease next = faulty.bystander().getLock(NAME).acquire();
        assertThat(since(start)).isBetween(delay, SOON.plus(delay));
        next.close();
    }

    /**
     * If Redis refuses the command, the call fails; the lease is no longer renewed, and the lock is released when the
     * delay has passed.
     */
    @Test
    void refused_releasedAtTheEnd() {
        Holdfast restricted = faulty.client(builder -> builder.redisUri(faulty.user("+@all", "~*", "&*")));
        Lease lease = restricted.getLock(NAME).acquire(LONG);
        faulty.user("+@all", "-pexpire", "~*", "&*");
        long start = System.nanoTime();

        assertThatThrownBy(() -> lease.closeAfter(WHILE))
                .isInstanceOf(ReleaseUnconfirmedException.class)
                .hasMessageContaining("+pexpire");

        assertThat(lease.isValid()).isFalse();
        Lease next = faulty.bystander().getLock(NAME).acquire();
        assertThat(since(start)).isBetween(WHILE.minusMillis(1), SOON);
        next.close();
    }

    /** A watched lease is no longer renewed, so the delay passes even if the client is closed meanwhile. */
    @Test
    void clientClosed_delayPasses() {
        Duration longerThanAClose = WHILE.multipliedBy(5);
        Holdfast shortLived = faulty.bystander();
        long start = System.nanoTime();
        shortLived.getLock(NAME).acquire().closeAfter(longerThanAClose);

        shortLived.close();

        assertThat(lock.tryLock()).isFalse();
        lock.lock();
        assertThat(since(start)).isGreaterThanOrEqualTo(longerThanAClose.minusMillis(1));
        lock.unlock();
    }

    /**
     * Many leases of one lock in succession, each with waiters behind it: each delay is kept, and every waiter is
     * served.
     */
    @Test
    void inALine_allAreServed() {
        Duration pause = Duration.ofMillis(50);
        long start = System.nanoTime();
        List<CompletableFuture<Void>> all = IntStream.range(0, 8)
                .mapToObj(i -> (i % 2 == 0 ? lock : faulty.bystander().getLock(NAME))
                        .acquireAsync()
                        .thenCompose(lease -> lease.closeAfterAsync(pause)))
                .toList();

        all.forEach(FaultyRedis::get);

        assertThat(since(start)).isGreaterThanOrEqualTo(pause.multipliedBy(7));
        eventually(() -> assertThat(faulty.keys()).isEmpty());
    }

    /** A thread that closed a handle of the lock does not own it by that: its own acquire waits like any other. */
    @Test
    void sameThread_waitsLikeOthers() {
        long start = System.nanoTime();
        lock.acquire().closeAfter(WHILE);

        CompletableFuture<Boolean> another = elsewhere(lock::tryLock);
        assertThat(get(another)).isFalse();
        lock.lock();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        lock.unlock();
    }

    private Duration remaining() {
        return lock.inspect().remainingLease().orElse(Duration.ZERO);
    }
}
