package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.WrongKindException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;

/** Redisson's read-write lock and Holdfast's of one name exclude each other, and each wakes the other's waiters. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class ReadWriteInteropTest {
    private final Neighbours neighbours = new Neighbours();

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** While a reader or a writer of Redisson holds it, ours find it busy, and are woken by its release. */
    @Test
    void theirs_excludesOurs() {
        String name = newName();
        DistributedReadWriteLock ours = neighbours.oursReadWrite(name);
        RReadWriteLock theirs = neighbours.theirsReadWrite(name);
        RLock theirWrite = theirs.writeLock();
        for (RLock held : List.of(theirWrite, theirs.readLock())) {
            for (DistributedLock waited : List.of(ours.writeLock(), ours.readLock())) {
                held.lock(LONG.toSeconds(), TimeUnit.SECONDS);
                assertThat(ours.writeLock().tryLock()).isFalse();
                assertThat(ours.readLock().tryLock()).isFalse();
                assertThat(ours.inspect().holders()).hasSize(1);
                assertThat(ours.writeLock().isLocked()).isEqualTo(held == theirWrite);
                CompletableFuture<Void> waiter = passesThrough(waited);
                neighbours.awaitReadWriteWaiters(name, 1);
                held.unlock();
                assertThat(waiter).succeedsWithin(PROMPTLY);
            }
        }
    }

    /**
     * While a reader or a writer of Holdfast holds it, Redisson's find it busy, and are woken by its release: by the message of
     * Redisson's own writers, which wakes those that are parked by then (LockPubSub).
     */
    @Test
    void ours_excludesTheirs() throws InterruptedException {
        String name = newName();
        DistributedReadWriteLock ours = neighbours.oursReadWrite(name);
        RReadWriteLock theirs = neighbours.theirsReadWrite(name);
        for (DistributedLock held : List.of(ours.writeLock(), ours.readLock())) {
            for (RLock waited : List.of(theirs.writeLock(), theirs.readLock())) {
                held.lock(LONG);
                assertThat(theirs.writeLock().tryLock()).isFalse();
                assertThat(theirs.readLock().tryLock()).isFalse();
                Thread waiter = new Thread(() -> under(waited, () -> {}), "waiter of Redisson");
                waiter.start();
                awaitParked(waiter);
                held.unlock();
                waiter.join(PROMPTLY.toMillis());
                assertThat(waiter.isAlive()).isFalse();
            }
        }
    }

    /** Returns once the thread waits for a message: it is parked in the semaphore, after its second attempt. */
    private static void awaitParked(Thread waiter) {
        await().atMost(PROMPTLY)
                .until(() -> waiter.getState() == Thread.State.TIMED_WAITING
                        && Stream.of(waiter.getStackTrace())
                                .anyMatch(frame -> frame.getClassName().equals(Semaphore.class.getName())));
    }

    /** Redisson's forced unlock opens our write lock, and ours opens Redisson's; but not a lock of another kind. */
    @Test
    void forceUnlock_bothWays() {
        String name = newName();
        DistributedReadWriteLock ours = neighbours.oursReadWrite(name);
        RReadWriteLock theirs = neighbours.theirsReadWrite(name);
        theirs.readLock().lock(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThatThrownBy(neighbours.ours(name)::forceUnlock).isInstanceOf(WrongKindException.class);
        assertThat(ours.forceUnlock()).isTrue();
        ours.writeLock().lock(LONG);
        assertThat(theirs.writeLock().forceUnlock()).isTrue();
        assertThat(ours.writeLock().isLocked()).isFalse();
    }
}
