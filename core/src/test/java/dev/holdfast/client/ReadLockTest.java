package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A single reader has what the contract of locks says, as far as it is about those that it excludes: the writers. */
@Tag("client")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
final class ReadLockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Short enough to be waited for. */
    private static final Duration BRIEF = Duration.ofMillis(400);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final DistributedLock read =
            redis.client().getReadWriteLock(redis.name()).readLock();
    private final DistributedLock theirs =
            redis.rival().getReadWriteLock(redis.name()).writeLock();

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }

    /** By whatever method it was acquired, a handle excludes writers until any thread has closed it. */
    @Test
    void acquire_everyWay() throws Exception {
        List<Callable<Lease>> ways = List.of(
                read::acquire,
                () -> read.acquire(MINUTE),
                read::acquireInterruptibly,
                () -> read.acquireInterruptibly(MINUTE),
                () -> read.tryAcquire(MINUTE).orElseThrow(),
                () -> read.tryAcquire(Duration.ZERO, MINUTE).orElseThrow(),
                () -> Patience.get(read.acquireAsync()),
                () -> Patience.get(read.acquireAsync(MINUTE)),
                () -> Patience.get(read.tryAcquireAsync(MINUTE)).orElseThrow(),
                () -> Patience.get(read.tryAcquireAsync(Duration.ZERO, MINUTE)).orElseThrow());
        Worker another = redis.worker();
        for (Callable<Lease> way : ways) {
            Lease lease = way.call();
            assertThat(lease.isValid()).isTrue();
            assertThat(read.isHeldByCurrentThread()).isFalse();
            assertThat(theirs.tryAcquire(Duration.ZERO)).isEmpty();
            another.does(lease::close);
            assertThat(lease.isValid()).isFalse();
            theirs.acquire().close();
        }
    }

    /** A thread enters it by every method, as often as it likes, and leaves it as often. */
    @Test
    void lock_everyWay() throws Exception {
        read.lock();
        read.lock(MINUTE);
        read.lockInterruptibly();
        assertThat(read.tryLock()).isTrue();
        assertThat(read.tryLock(Duration.ofSeconds(1))).isTrue();
        assertThat(read.tryLock(Duration.ofSeconds(1), MINUTE)).isTrue();
        Patience.get(read.lockAsync());
        assertThat(Patience.get(read.tryLockAsync())).isTrue();
        for (int left = 8; left > 0; left--) {
            assertThat(read.getHoldCount()).isEqualTo(left);
            assertThat(theirs.tryLock()).isFalse();
            read.unlock();
        }
        assertThat(read.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
        theirs.acquire().close();
    }

    /** The end of an explicit lease is reported, and admits the writer that waits. */
    @Test
    void lease_runsOut() {
        Lease lease = read.acquire(BRIEF);
        assertThat(lease.remaining()).isBetween(Duration.ZERO, BRIEF);
        CompletableFuture<Lease> waiting = theirs.acquireAsync();
        assertThat(Patience.get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        Patience.get(waiting).close();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** An extension keeps a lease for as long as was requested. */
    @Test
    void extend_keepsIt() {
        Lease lease = read.acquire(MINUTE.dividedBy(2));
        lease.extend(MINUTE);
        assertThat(lease.remaining()).isBetween(MINUTE.dividedBy(2), MINUTE);
        assertThat(read.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isBetween(MINUTE.dividedBy(2), MINUTE));
        lease.close();
        assertThat(read.remainingLease()).isEmpty();
    }

    /** A wait behind a writer ends without the lock at its time, by a cancel, or by an interrupt; the next reader is granted it. */
    @RealTime
    void wait_ends() throws InterruptedException {
        Lease writing = theirs.acquire();
        long begun = System.nanoTime();
        assertThat(read.tryAcquire(BRIEF)).isEmpty();
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(BRIEF.toNanos());
        CompletableFuture<Lease> cancelled = read.acquireAsync();
        Worker interrupted = redis.worker();
        CompletableFuture<Lease> ends = interrupted.begins(() -> read.acquireInterruptibly());
        CompletableFuture<Lease> next = read.acquireAsync();
        Patience.await().until(() -> redis.client().stats().waiters() == 3);
        cancelled.cancel(false);
        interrupted.thread().interrupt();
        assertThatThrownBy(() -> Patience.get(ends)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(next).isNotDone();
        writing.close();
        Patience.get(next).close();
        theirs.acquire().close();
    }

    /** A thread that joins the readers of its client does not wait, and nothing of that ends its next wait. */
    @Test
    void lock_leavesNoPermit() {
        Lease other = read.acquire();
        Worker worker = redis.worker();
        CompletableFuture<?> parked = worker.begins(() -> {
            read.lock();
            LockSupport.park(other);
            read.unlock();
        });
        Patience.await().until(() -> parked.isDone() || LockSupport.getBlocker(worker.thread()) == other);
        assertThat(parked).isNotDone();
        LockSupport.unpark(worker.thread());
        Patience.get(parked);
        other.close();
    }

    /** A thread that dies while it reads is not renewed any more, whoever else reads. */
    @Test
    void deadThread_isLost() throws InterruptedException {
        DistributedLock brisk =
                redis.briskClient().getReadWriteLock(redis.name()).readLock();
        Worker dead = redis.worker();
        dead.does(() -> brisk.lock());
        Lease other = brisk.acquire();
        dead.dies();
        Patience.await().until(() -> brisk.inspect().holders().size() == 1);
        assertThat(other.isValid()).isTrue();
        assertThat(theirs.tryLock()).isFalse();
        other.close();
        Patience.get(theirs.acquireAsync()).close();
    }
}
