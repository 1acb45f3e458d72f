package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/** While one library holds the lock, the other cannot acquire it; afterwards it can. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class ExclusionInteropTest {
    private static final int THREADS_EACH = 4;
    private static final int ROUNDS = 100;
    private static final Duration BRIEF = Duration.ofMillis(300);

    private final Neighbours neighbours = new Neighbours();
    private String name = "";
    private RLock theirs;
    private DistributedLock ours;

    /** Written under the lock by the threads of both libraries. */
    private int counter;

    @BeforeEach
    void newLock() {
        name = newName();
        theirs = neighbours.theirs(name);
        ours = neighbours.ours(name);
    }

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** Threads of both libraries count together and lose no count, although the counter is an ordinary field. */
    @Test
    void lock_threadsOfBoth_countExactly() {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS_EACH; i++) {
            threads.add(inNewThread(() -> countUnder(theirs)));
            threads.add(inNewThread(() -> countUnder(ours)));
        }

        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(60));
        assertThat(counter).isEqualTo(2 * THREADS_EACH * ROUNDS);
    }

    private void countUnder(Lock lock) {
        for (int i = 0; i < ROUNDS; i++) {
            under(lock, () -> counter++);
        }
    }

    /** An attempt without a wait finds the lock busy, even by the thread that holds it in the other library. */
    @Test
    void tryLock_heldByTheOther_isFalse() {
        theirs.lock();
        assertThat(ours.tryLock()).isFalse();
        theirs.unlock();

        ours.lock();
        assertThat(theirs.tryLock()).isFalse();
        ours.unlock();
    }

    /**
     * A timed attempt fails when its time is over; one with an explicit lease gets it if the lock becomes free in time.
     */
    @RealTime
    void tryLock_waitsForTheOther_noLongerThanRequested() throws InterruptedException {
        theirs.lock();
        assertThat(ours.tryLock(BRIEF, LONG)).isFalse();
        theirs.unlock();
        assertThat(ours.tryLock(BRIEF, LONG)).isTrue();

        assertThat(theirs.tryLock(BRIEF.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS))
                .isFalse();
        ours.unlock();
        assertThat(theirs.tryLock(BRIEF.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        theirs.unlock();
    }

    /**
     * If Redisson's lease expires, Holdfast acquires the lock without a message, and Redisson's late unlock does not
     * release it.
     */
    @Test
    void lock_theirLeaseRunsOut_isOurs() throws InterruptedException {
        theirs.lock(BRIEF.toMillis(), TimeUnit.MILLISECONDS);

        assertThat(ours.tryLock(PROMPTLY)).isTrue();

        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(neighbours.hash(name)).containsEntry(neighbours.ourField(), "1");
        ours.unlock();
    }

    /**
     * If Holdfast's lease expires, Redisson acquires the lock without a message, and Holdfast's late unlock does not
     * release it.
     */
    @Test
    void lock_ourLeaseRunsOut_isTheirs() throws InterruptedException {
        ours.lock(BRIEF);

        assertThat(theirs.tryLock(PROMPTLY.toMillis(), LONG.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();

        assertThatThrownBy(ours::unlock)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isIn(LossReason.EXPIRED, LossReason.TAKEN));
        assertThat(neighbours.hash(name)).containsEntry(neighbours.theirField(), "1");
        theirs.unlock();
    }
}
