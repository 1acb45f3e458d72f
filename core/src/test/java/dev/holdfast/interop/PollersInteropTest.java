package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/**
 * Threads of Holdfast hand a lock off without a pause: Redisson's {@code tryLock()} in a loop acquires it all the same.
 */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
class PollersInteropTest {
    private static final int THREADS = 4;
    private static final int SUCCESSES = 5;
    private static final Duration WORK = Duration.ofMillis(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Neighbours neighbours = new Neighbours();
    private final String name = newName();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @AfterAll
    void stop() {
        neighbours.close();
    }

    @Test
    void theirTryLock_succeeds() {
        CompletableFuture<?>[] ours =
                Stream.generate(() -> inNewThread(this::handOff)).limit(THREADS).toArray(CompletableFuture[]::new);
        neighbours.awaitWaiters(name, 1);

        CompletableFuture<Void> theirs = inNewThread(this::poll);

        assertThat(theirs).succeedsWithin(TIMEOUT);
        stopped.set(true);
        assertThat(CompletableFuture.allOf(ours)).succeedsWithin(TIMEOUT);
        assertThat(neighbours.hash(name)).isEmpty();
    }

    private void handOff() {
        while (!stopped.get()) {
            under(neighbours.ours(name), () -> LockSupport.parkNanos(WORK.toNanos()));
        }
    }

    private void poll() {
        RLock lock = neighbours.theirs(name);
        for (int successes = 0; successes < SUCCESSES && !stopped.get(); ) {
            if (lock.tryLock()) {
                lock.unlock();
                successes++;
            }
        }
    }
}
