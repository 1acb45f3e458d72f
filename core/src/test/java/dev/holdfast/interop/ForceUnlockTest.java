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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/** An operator may force a lock open by either library, whichever holds it. */
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class ForceUnlockTest {
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

    /** We take the lock away from them, and their unlock finds that out. */
    @Test
    void forceUnlock_oursOnTheirs_freesIt() {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);

        assertThat(ours.forceUnlock()).isTrue();

        assertThat(theirs.isLocked()).isFalse();
        assertThatThrownBy(theirs::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(ours.forceUnlock()).isFalse();
    }

    /** They take the lock away from us, and our unlock is told that the key vanished. */
    @Test
    void forceUnlock_theirsOnOurs_isALossForUs() {
        ours.lock(LONG);

        assertThat(theirs.forceUnlock()).isTrue();

        assertThat(ours.isLocked()).isFalse();
        assertOurUnlockLost(LossReason.GONE);
    }

    /** They take the lock away from us and keep it: our unlock is told that another is there, and leaves it alone. */
    @Test
    void forceUnlock_theirsOnOurs_thenTaken_isALossForUs() {
        ours.lock(LONG);

        assertThat(theirs.forceUnlock()).isTrue();
        assertThat(theirs.tryLock()).isTrue();

        assertOurUnlockLost(LossReason.TAKEN);
        assertThat(theirs.isHeldByCurrentThread()).isTrue();
        theirs.unlock();
    }

    /** To force a lock open wakes those who wait, whichever library they use. */
    @Test
    void forceUnlock_wakesTheOther() {
        String name = ours.name();
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> ourWaiter = passesThrough(ours);
        neighbours.awaitWaiters(name, 1);
        assertThat(theirs.forceUnlock()).isTrue();
        assertThat(ourWaiter).succeedsWithin(PROMPTLY);

        ours.lock(LONG);
        CompletableFuture<Void> theirWaiter = passesThrough(theirs);
        neighbours.awaitWaiters(name, 1);
        assertThat(ours.forceUnlock()).isTrue();
        assertThat(theirWaiter).succeedsWithin(PROMPTLY);
        assertThatThrownBy(ours::unlock).isInstanceOf(LeaseLostException.class);
    }

    private void assertOurUnlockLost(LossReason reason) {
        assertThatThrownBy(ours::unlock)
                .isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(lost.reason())
                        .isEqualTo(reason));
    }
}
