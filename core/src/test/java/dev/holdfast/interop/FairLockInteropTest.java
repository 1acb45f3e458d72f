package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/** The fair lock beside Redisson's plain lock of the same name: they exclude each other, and wake each other's waiters. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class FairLockInteropTest {
    private static final int THREADS_EACH = 3;
    private static final int ROUNDS = 40;

    private final Neighbours neighbours = new Neighbours();
    private final String name = newName();
    private final DistributedLock ours = neighbours.oursFair(name);
    private final RLock theirs = neighbours.theirs(name);

    /** Written under the lock by the threads of both libraries. */
    private int counter;

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** Threads of both libraries count together and lose no count, although the counter is an ordinary field. */
    @Test
    void lock_threadsOfBoth_countExactly() {
        CompletableFuture<?>[] threads = Stream.of(ours, theirs)
                .flatMap(lock -> Stream.generate(() -> inNewThread(() -> countUnder(lock)))
                        .limit(THREADS_EACH))
                .toArray(CompletableFuture[]::new);

        assertThat(CompletableFuture.allOf(threads)).succeedsWithin(Duration.ofSeconds(20));

        assertThat(counter).isEqualTo(2 * THREADS_EACH * ROUNDS);
        assertThat(neighbours.hash(name)).isEmpty();
    }

    private void countUnder(Lock lock) {
        for (int i = 0; i < ROUNDS; i++) {
            under(lock, () -> counter++);
        }
    }

    /** Redisson's release wakes the first of our owners, and each of these the next. */
    @Test
    void unlock_theirs_wakesAllOurs() {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> waiters = CompletableFuture.allOf(passesThrough(ours), passesThrough(ours));
        awaitInLine(2);

        theirs.unlock();

        assertThat(waiters).succeedsWithin(PROMPTLY);
    }

    /** Our release wakes a waiter of Redisson if none of ours waits. */
    @Test
    void unlock_ours_wakesTheirs() {
        ours.lock(LONG);
        CompletableFuture<Void> waiter = passesThrough(theirs);
        neighbours.awaitWaiters(name, 1);

        ours.unlock();

        assertThat(waiter).succeedsWithin(PROMPTLY);
    }

    /** A waiter of Redisson has its turn although our owners never cease to wait. */
    @Test
    void unlock_ours_leavesATurnForTheirs() {
        ours.lock(LONG);
        CompletableFuture<Void> waiter = passesThrough(theirs);
        neighbours.awaitWaiters(name, 1);
        List<CompletableFuture<Void>> busy = Stream.generate(() -> inNewThread(() -> untilDone(waiter)))
                .limit(THREADS_EACH)
                .toList();
        awaitInLine(THREADS_EACH);

        ours.unlock();

        assertThat(waiter).succeedsWithin(PROMPTLY);
        assertThat(CompletableFuture.allOf(busy.toArray(CompletableFuture[]::new)))
                .succeedsWithin(PROMPTLY);
    }

    private void untilDone(CompletableFuture<Void> other) {
        while (!other.isDone()) {
            under(ours, () -> {});
        }
    }

    /** Redisson's fair lock of the name is the same lock, whoever is served first. */
    @Test
    void theirFairLock_excludes() {
        RLock fair = neighbours.theirsFair(name);
        fair.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(ours.tryLock()).isFalse();
        fair.unlock();

        assertThat(ours.tryLock()).isTrue();
        assertThat(fair.tryLock()).isFalse();
        ours.unlock();
    }

    private void awaitInLine(int owners) {
        await().pollInterval(Duration.ofMillis(5)).until(() -> ours.inspect().clientsInLine() == owners);
    }
}
