package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockInfo;
import dev.holdfast.Locks;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.Worker;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The contract of all locks, and of what Holdfast's locks have besides: handles, explicit leases, tokens, the query of
 * the holder. It is the same for every set-up of servers.
 */
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
abstract class HoldfastContract extends LockContract {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Short enough to be waited for. */
    private static final Duration BRIEF = Duration.ofMillis(400);

    private final Locks kind;
    private final Holdfast client;
    private final Holdfast rival;
    private final Supplier<List<String>> keys;
    private final String name = "contract " + UUID.randomUUID();
    private final DistributedLock lock;
    private final DistributedLock theirs;

    /**
     * @param rival another client, which competes with the first one
     * @param keys returns the keys that should be gone when no lock is held
     */
    HoldfastContract(Locks kind, Holdfast client, Holdfast rival, Supplier<List<String>> keys) {
        this.kind = kind;
        this.client = client;
        this.rival = rival;
        this.keys = keys;
        this.lock = kind.lock(client, name);
        this.theirs = kind.lock(rival, name);
    }

    @Override
    protected final LockFixture newFixture() {
        return new ContractFixture(kind, isFair(), List.of(client, rival), keys);
    }

    /** {@return whether the owners of all clients are served in their order} */
    boolean isFair() {
        return false;
    }

    /** {@return whether clients that wait stand in line here} */
    boolean hasLine() {
        return true;
    }

    /** A handle excludes all others, by whatever method it was acquired, until any thread has closed it. */
    @Test
    final void acquire_everyWay() throws Exception {
        List<Callable<Lease>> ways = List.of(
                lock::acquire,
                () -> lock.acquire(MINUTE),
                lock::acquireInterruptibly,
                () -> lock.acquireInterruptibly(MINUTE),
                () -> lock.tryAcquire(MINUTE).orElseThrow(),
                () -> lock.tryAcquire(Duration.ZERO, MINUTE).orElseThrow(),
                () -> Patience.get(lock.acquireAsync()),
                () -> Patience.get(lock.acquireAsync(MINUTE)),
                () -> Patience.get(lock.tryAcquireAsync(MINUTE)).orElseThrow(),
                () -> Patience.get(lock.tryAcquireAsync(Duration.ZERO, MINUTE)).orElseThrow());
        try (Worker another = new Worker()) {
            for (Callable<Lease> way : ways) {
                Lease lease = way.call();
                assertThat(lease.isValid()).isTrue();
                assertThat(lock.isHeldByCurrentThread()).isFalse();
                assertThat(lock.tryLock()).isFalse();
                assertThat(theirs.tryAcquire(Duration.ZERO)).isEmpty();
                another.does(lease::close);
                assertThat(lease.isValid()).isFalse();
                theirs.acquire().close();
            }
        }
    }

    /** The close of a handle wakes a waiter of another client. */
    @Test
    final void close_wakesOtherClient() {
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = waits(theirs);
        lease.close();
        Patience.get(waiting).close();
    }

    /** {@return the call of a waiter, which has found the lock busy and hears of the release} */
    private CompletableFuture<Lease> waits(DistributedLock waited) {
        CompletableFuture<Lease> waiting = waited.acquireAsync();
        Patience.await()
                .until(() -> hasLine()
                        ? waited.inspect().clientsInLine() == 1
                        : rival.stats().waiters() == 1);
        return waiting;
    }

    /** Clients stand in line wherever a node can count those that listen, and nowhere else. */
    @Test
    final void wait_standsInLine() {
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = theirs.acquireAsync();
        Patience.await().until(() -> rival.stats().waiters() == 1);
        if (hasLine()) {
            Patience.await().until(() -> lock.inspect().clientsInLine() == 1);
        } else {
            assertThat(lock.inspect().clientsInLine()).isZero();
        }
        lease.close();
        Patience.get(waiting).close();
    }

    /** An explicit lease ends by itself: its owner is told, and a waiter of another client gets the lock. */
    @Test
    final void lease_runsOut() {
        Lease lease = lock.acquire(BRIEF);
        assertThat(lease.remaining()).isBetween(Duration.ZERO, BRIEF);
        CompletableFuture<Lease> waiting = theirs.acquireAsync();
        assertThat(Patience.get(lease.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(lease.isValid()).isFalse();
        Patience.get(waiting).close();
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
    }

    /** An explicit lease of a thread ends in the same way. */
    @Test
    final void lock_leaseRunsOut() throws InterruptedException {
        assertThat(lock.tryLock(Duration.ZERO, MINUTE)).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lock.tryLock(Duration.ZERO, BRIEF)).isTrue();
        Patience.get(theirs.acquireAsync()).close();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** An extension keeps a lease for as long as was requested. */
    @Test
    final void extend_keepsIt() {
        Lease lease = lock.acquire(MINUTE.dividedBy(2));
        lease.extend(MINUTE);
        assertThat(lease.remaining()).isBetween(MINUTE.dividedBy(2), MINUTE);
        assertThat(theirs.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isBetween(MINUTE.dividedBy(2), MINUTE));
        lease.close();
        assertThat(theirs.remainingLease()).isEmpty();
    }

    /** A delayed close keeps the lock busy, and then a waiter of another client gets it. */
    @Test
    final void closeAfter_keepsItBusy() throws InterruptedException {
        Lease lease = lock.acquire();
        lease.closeAfter(MINUTE);
        assertThat(lease.isValid()).isFalse();
        assertThat(theirs.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(theirs.forceUnlock()).isTrue();
        lock.acquire().closeAfter(BRIEF);
        Patience.get(theirs.acquireAsync()).close();
    }

    /** A lock that was forced open is lost for its holder, who is told by the close. */
    @Test
    final void forceUnlock_isTold() {
        Lease lease = lock.acquire();
        assertThat(theirs.forceUnlock()).isTrue();
        theirs.acquire().close();
        assertThatThrownBy(lease::close)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(LossReason.GONE));
    }

    /** A wait that its caller cancels acquires nothing, and the next waiter gets the lock. */
    @Test
    final void acquireAsync_cancelled() {
        Lease lease = lock.acquire();
        CompletableFuture<Lease> cancelled = waits(theirs);
        CompletableFuture<Lease> next = theirs.acquireAsync();
        cancelled.cancel(false);
        lease.close();
        Patience.get(next).close();
    }

    /** An interrupt ends the wait of an interruptible call alone, which acquires nothing, and the next waiter gets the lock. */
    @Test
    final void acquireInterruptibly_interrupted() {
        Lease lease = lock.acquire();
        try (Worker interrupted = new Worker();
                Worker unaffected = new Worker()) {
            CompletableFuture<Lease> ends = interrupted.begins(() -> theirs.acquireInterruptibly());
            CompletableFuture<Boolean> flag = unaffected.begins(() -> {
                theirs.acquire().close();
                return Thread.currentThread().isInterrupted();
            });
            Patience.await().until(() -> rival.stats().waiters() == 2);
            interrupted.thread().interrupt();
            unaffected.thread().interrupt();
            assertThatThrownBy(() -> Patience.get(ends)).hasCauseInstanceOf(InterruptedException.class);
            assertThat(lease.isValid()).isTrue();
            lease.close();
            assertThat(Patience.get(flag)).isTrue();
        }
    }

    /** A wait for a handle ends without it, and not before its time. */
    @RealTime
    final void tryAcquire_busy() throws InterruptedException {
        Lease lease = lock.acquire();
        long begun = System.nanoTime();
        Optional<Lease> none = theirs.tryAcquire(BRIEF);
        assertThat(none).isEmpty();
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(BRIEF.toNanos());
        lease.close();
    }

    /** What runs under the lock returns its value, and releases the lock whatever happens. */
    @Test
    final void callLocked_releases() throws Exception {
        assertThat(lock.callLocked(theirs::isLocked)).isTrue();
        assertThatThrownBy(() -> lock.runLocked(() -> {
                    throw new IllegalStateException("as intended");
                }))
                .hasMessage("as intended");
        assertThat(theirs.isLocked()).isFalse();
    }

    /** Every client can see who holds the lock, and how often. */
    @Test
    final void inspect_namesTheHolder() {
        lock.lock();
        lock.lock();
        LockInfo info = theirs.inspect();
        assertThat(info.isLocked()).isTrue();
        assertThat(info.holdCount()).isEqualTo(2);
        assertThat(info.holder())
                .hasValueSatisfying(holder -> assertThat(holder.owner()).startsWith(client.clientId() + ":"));
        lock.unlock();
        lock.unlock();
        assertThat(theirs.inspect().isLocked()).isFalse();
    }

    /** The tokens of a fenced lock grow from holder to holder, in whichever client, and stay the same on re-entry. */
    @Test
    final void token_grows() {
        Lease lease = lock.acquire();
        if (lock instanceof FencedLock fenced && theirs instanceof FencedLock theirFenced) {
            long token = lease.token();
            lease.close();
            for (int i = 0; i < 3; i++) {
                long next = theirFenced.lockAndGetToken();
                assertThat(next).isGreaterThan(token);
                assertThat(theirFenced.lockAndGetToken()).isEqualTo(next);
                theirFenced.unlock();
                theirFenced.unlock();
                token = fenced.lockAndGetToken(MINUTE);
                assertThat(token).isGreaterThan(next);
                fenced.unlock();
            }
        } else {
            assertThatThrownBy(lease::token).isInstanceOf(UnsupportedOperationException.class);
            lease.close();
        }
    }
}
