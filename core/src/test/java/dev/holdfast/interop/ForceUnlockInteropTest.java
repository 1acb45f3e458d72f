package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/** An operator may force a lock open with either library, whichever holds it. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class ForceUnlockInteropTest {
    private final Neighbours neighbours = new Neighbours();
    private RLock theirs;
    private DistributedLock ours;

    @BeforeEach
    void newLock() {
        String name = newName();
        theirs = neighbours.theirs(name);
        ours = neighbours.ours(name);
    }

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** Holdfast removes Redisson's lock, and Redisson's unlock detects that. */
    @Test
    void forceUnlock_oursOnTheirs_freesIt() {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);

        assertThat(ours.forceUnlock()).isTrue();

        assertThat(theirs.isLocked()).isFalse();
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(ours.forceUnlock()).isFalse();
    }

    /** Redisson removes Holdfast's lock, and Holdfast's unlock throws because the key vanished. */
    @Test
    void forceUnlock_theirsOnOurs_isALossForUs() {
        ours.lock(LONG);

        assertThat(theirs.forceUnlock()).isTrue();

        assertThat(ours.isLocked()).isFalse();
        assertOurUnlockLost(LossReason.GONE);
    }

    /**
     * Redisson removes Holdfast's lock and acquires it: Holdfast's unlock throws that it was taken over, and leaves it
     * alone.
     */
    @Test
    void forceUnlock_theirsOnOurs_thenTaken_isALossForUs() {
        ours.lock(LONG);

        assertThat(theirs.forceUnlock()).isTrue();
        assertThat(theirs.tryLock()).isTrue();

        assertOurUnlockLost(LossReason.TAKEN);
        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        theirs.unlock();
    }

    /** Redisson forces the lock open, and a waiter of Holdfast is woken. */
    @Test
    void forceUnlock_theirs_wakesOurWaiter() {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> waiter = passesThrough(ours);
        neighbours.awaitWaiters(ours.name(), 1);

        assertThat(theirs.forceUnlock()).isTrue();

        assertThat(waiter).succeedsWithin(PROMPTLY);
    }

    /** Holdfast forces the lock open, and a waiter of Redisson is woken. */
    @Test
    void forceUnlock_ours_wakesTheirWaiter() {
        ours.lock(LONG);
        CompletableFuture<Void> waiter = passesThrough(theirs);
        neighbours.awaitWaiters(ours.name(), 1);

        assertThat(ours.forceUnlock()).isTrue();

        assertThat(waiter).succeedsWithin(PROMPTLY);
        assertOurUnlockLost(LossReason.GONE);
    }

    private void assertOurUnlockLost(LossReason reason) {
        assertThatThrownBy(ours::unlock)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }
}
