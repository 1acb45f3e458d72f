package dev.holdfast;

import static dev.holdfast.BadDay.COMMAND_TIMEOUT;
import static dev.holdfast.BadDay.LONG;
import static dev.holdfast.BadDay.SOON;
import static dev.holdfast.BadDay.elsewhere;
import static dev.holdfast.BadDay.eventually;
import static dev.holdfast.BadDay.get;
import static dev.holdfast.BadDay.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lease that is closed, and keeps others out for a while. */
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking, and nothing is done under it
class CloseAfterTest {
    private static final String NAME = "orders:42";
    private static final Duration WHILE = Duration.ofMillis(700);

    @RegisterExtension
    final BadDay day = new BadDay();

    private final Holdfast client = day.client();
    private final DistributedLock lock = client.getLock(NAME);

    /** Closed at once; nobody gets the lock before the delay has passed, and it is free then: of every kind of lock. */
    @ParameterizedTest
    @EnumSource(LockKinds.class)
    void keepsOthersOut_asLongAsSaid(LockKinds kind) {
        DistributedLock cohort = kind.lock(client, NAME);
        Lease lease = cohort.acquire();
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(lease.isValid()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(cohort.tryLock()).isFalse();
        Lease next = kind.lock(day.bystander(), NAME).acquire();
        assertThat(since(start)).isBetween(WHILE.minusMillis(1), SOON);
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        next.close();
    }

    /** What was left of the lease is replaced, be it longer or shorter than the delay. */
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

    /** The first close decides: what comes after it, of either kind, neither frees the lock nor keeps it for longer. */
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

    /** After a close there is nothing left to keep others out of. */
    @Test
    void afterClose_doesNothing() {
        Lease lease = lock.acquire();
        lease.close();

        lease.closeAfter(LONG);

        assertThat(lock.isLocked()).isFalse();
    }

    /** No time, or one that has passed already, is an ordinary close: a waiter gets the lock. */
    @ParameterizedTest
    @ValueSource(longs = {0, -5_000})
    void noTime_closes(long millis) {
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        day.awaitWaiting(client, 1);

        lease.closeAfter(Duration.ofMillis(millis));

        get(waiting).close();
    }

    /** What is no time at all is refused, and the lease is as it was. */
    @Test
    void tooLong_refused() {
        Lease lease = lock.acquire();

        assertThatThrownBy(() -> lease.closeAfter(Duration.ofDays(40_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("delay must be at most");

        assertThat(lease.isValid()).isTrue();
        lease.close();
    }

    /** A part of a millisecond is not nothing: others are kept out for a whole one. */
    @Test
    void lessThanAMillisecond() {
        lock.acquire().closeAfter(Duration.ofNanos(1));

        lock.lock();
        lock.unlock();
    }

    /**
     * Who waits in the same client is not handed the lock, and gets it at the end of the delay: not at that of the lease,
     * which it knew, and which was longer.
     */
    @Test
    void waiterHere_getsItAtTheEnd() {
        Lease lease = lock.acquire(LONG);
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        day.awaitWaiting(client, 1);
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(get(waiting, SOON).isValid()).isTrue();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        get(waiting).close();
    }

    /** Who waits in another client wakes at the end of the delay too, though it was told of a longer lease. */
    @Test
    void waiterElsewhere_getsItAtTheEnd() {
        Lease lease = lock.acquire(LONG);
        Holdfast other = day.bystander();
        CompletableFuture<Lease> waiting = other.getLock(NAME).acquireAsync();
        day.awaitWaiting(other, 1);
        long start = System.nanoTime();

        lease.closeAfter(WHILE);

        assertThat(get(waiting, SOON).isValid()).isTrue();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        get(waiting).close();
    }

    /** Who waits goes on waiting when the delay is longer than the lease would have been. */
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

    /** A lease that was lost keeps nobody out, and the caller is told. */
    @Test
    void lost_isTold() {
        Lease lease = lock.acquire();
        assertThat(lock.forceUnlock()).isTrue();

        assertThatThrownBy(() -> lease.closeAfter(LONG)).isInstanceOf(LeaseLostException.class);

        assertThat(lock.isLocked()).isFalse();
        lease.close();
    }

    /** An interrupt is kept for later, and the lock is closed all the same. */
    @Test
    void interrupted_isKept() {
        Lease lease = lock.acquire();
        Thread.currentThread().interrupt();

        lease.closeAfter(LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(remaining()).isBetween(LONG.minusSeconds(5), LONG);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** The twin that does not wait says the same, and closes at once. */
    @Test
    void async() {
        Lease lease = lock.acquire();

        CompletableFuture<?> closed = lease.closeAfterAsync(LONG);

        assertThat(lease.isValid()).isFalse();
        assertThat(get(closed)).isNull();
        assertThat(remaining()).isBetween(LONG.minusSeconds(5), LONG);
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** Where the answer is lost, the command is sent again, with what is left of the delay; and it still was one close. */
    @Test
    void answerLost_sentAgain() {
        Lease lease = lock.acquire();
        day.proxy().cutInsteadOfReplyTo(NAME);

        lease.closeAfter(LONG.dividedBy(2));

        assertThat(remaining()).isBetween(LONG.dividedBy(2).minusSeconds(5), LONG.dividedBy(2));
        assertThat(day.heard().lost()).isEmpty();
        assertThat(lock.forceUnlock()).isTrue();
    }

    /** The answer is lost, and the delay has passed when there is a connection again: the lock is free, and that is no loss. */
    @Test
    void answerLost_delayPassedMeanwhile() {
        Lease lease = lock.acquire();
        day.proxy().refuse();
        day.proxy().cutInsteadOfReplyTo(NAME);
        CompletableFuture<?> closed = lease.closeAfterAsync(Duration.ofMillis(50));
        eventually(() -> day.keys().isEmpty());

        day.proxy().accept();

        assertThat(get(closed)).isNull();
        assertThat(day.heard().lost()).isEmpty();
    }

    /** Without an answer in time the caller is told; others are kept out until the delay has passed, and then get the lock. */
    @Test
    void noAnswer_releasedAtTheEnd() {
        Duration delay = COMMAND_TIMEOUT.multipliedBy(4);
        Lease lease = lock.acquire(LONG);
        long start = System.nanoTime();
        day.proxy().blackHole();

        assertThatThrownBy(() -> lease.closeAfter(delay)).isExactlyInstanceOf(LockException.class);
        day.proxy().heal();

        assertThat(lease.isValid()).isFalse();
        Lease next = day.bystander().getLock(NAME).acquire();
        assertThat(since(start)).isBetween(delay, SOON.plus(delay));
        next.close();
    }

    /** Refused, the caller is told; the lease is renewed no more, and the lock released when the delay has passed. */
    @Test
    void refused_releasedAtTheEnd() {
        Holdfast restricted = day.client(builder -> builder.redisUri(day.user("+@all", "~*", "&*")));
        Lease lease = restricted.getLock(NAME).acquire(LONG);
        day.user("+@all", "-pexpire", "~*", "&*");
        long start = System.nanoTime();

        assertThatThrownBy(() -> lease.closeAfter(WHILE))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContaining("+pexpire");

        assertThat(lease.isValid()).isFalse();
        Lease next = day.bystander().getLock(NAME).acquire();
        assertThat(since(start)).isBetween(WHILE.minusMillis(1), SOON);
        next.close();
    }

    /** A watched lease is renewed no more, so the delay passes; the client may end meanwhile. */
    @Test
    void clientClosed_delayPasses() {
        Holdfast shortLived = day.bystander();
        long start = System.nanoTime();
        shortLived.getLock(NAME).acquire().closeAfter(WHILE);

        shortLived.close();

        assertThat(lock.tryLock()).isFalse();
        lock.lock();
        assertThat(since(start)).isGreaterThanOrEqualTo(WHILE.minusMillis(1));
        lock.unlock();
    }

    /** Many leases of one lock in a row, each with a line behind it: every one is kept out, and everybody is served. */
    @Test
    void inALine_everybodyIsServed() {
        Duration pause = Duration.ofMillis(50);
        long start = System.nanoTime();
        List<CompletableFuture<Void>> all = IntStream.range(0, 8)
                .mapToObj(i -> (i % 2 == 0 ? lock : day.bystander().getLock(NAME))
                        .acquireAsync()
                        .thenCompose(lease -> lease.closeAfterAsync(pause)))
                .toList();

        all.forEach(BadDay::get);

        assertThat(since(start)).isGreaterThanOrEqualTo(pause.multipliedBy(7));
        eventually(() -> assertThat(day.keys()).isEmpty());
    }

    /** A thread that owns the lock by re-entry elsewhere has nothing to do with the handle: it waits like others. */
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
