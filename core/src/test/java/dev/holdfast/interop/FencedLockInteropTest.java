package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FencedLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RFencedLock;

/** The fenced locks of both libraries exclude each other and draw from one counter. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class FencedLockInteropTest {
    private static final int THREADS_EACH = 3;
    private static final int ROUNDS = 60;

    private final Neighbours neighbours = new Neighbours();
    private String name = "";
    private RFencedLock theirs;
    private FencedLock ours;

    /** The tokens in the order of their holders. Written under the lock by the threads of both libraries. */
    private final List<Long> tokens = new ArrayList<>();

    @BeforeEach
    void newLock() {
        name = newName();
        theirs = neighbours.theirsFenced(name);
        ours = neighbours.oursFenced(name);
        tokens.clear();
    }

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** Each library waits for the other's hold, whether the lock is acquired as a fenced or as a plain one. */
    @Test
    void theOther_isKeptOut() {
        theirs.lock();
        assertThat(ours.tryLockAndGetToken()).isEmpty();
        assertThat(neighbours.ours(name).tryLock()).isFalse();
        theirs.unlock();

        ours.lock();
        assertThat(theirs.tryLock()).isFalse();
        assertThat(neighbours.theirs(name).tryLock()).isFalse();
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.remainTimeToLive()).isBetween(1L, LONG.toMillis());
        ours.unlock();

        assertThat(theirs.tryLock()).isTrue();
        theirs.unlock();
    }

    /** Holdfast's token is larger than Redisson's before it; Redisson's next continues from Holdfast's, and so on. */
    @Test
    void tokens_ofBoth_grow() {
        for (int round = 0; round < 3; round++) {
            tokens.add(theirs.lockAndGetToken());
            theirs.unlock();
            tokens.add(ours.lockAndGetToken());
            ours.unlock();
        }

        assertThat(tokens.get(0)).isEqualTo(1);
        assertThat(tokens.get(2)).isEqualTo(tokens.get(1) + 1);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    /** Threads of both libraries, each waiting for the others: later holders have larger tokens. */
    @Test
    void tokens_threadsOfBoth_grow() {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS_EACH; i++) {
            threads.add(inNewThread(() -> enter(theirs::lockAndGetToken, theirs::unlock)));
            threads.add(inNewThread(() -> enter(ours::lockAndGetToken, ours::unlock)));
        }

        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(tokens).hasSize(2 * THREADS_EACH * ROUNDS).isSorted().doesNotHaveDuplicates();
        assertThat(neighbours.hash(name)).isEmpty();
    }

    private void enter(LongSupplier lock, Runnable unlock) {
        for (int round = 0; round < ROUNDS; round++) {
            long token = lock.getAsLong();
            try {
                tokens.add(token);
            } finally {
                unlock.run();
            }
        }
    }
}
