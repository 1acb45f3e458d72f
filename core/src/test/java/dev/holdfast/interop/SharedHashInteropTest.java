package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.newName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.redisson.api.RLock;

/** Both libraries store a hold as one field of one hash, and each can read the other's. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class SharedHashInteropTest {
    private final Neighbours neighbours = new Neighbours();
    private String name = "";
    private RLock theirs;
    private DistributedLock ours;

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

    /** The field is the client's id and the thread's, and its value is how often that thread has entered. */
    @Test
    void lock_ours_countsInTheFieldOfItsOwner() {
        ours.lock();
        ours.lock();
        assertThat(neighbours.hash(name)).containsEntry(neighbours.ourField(), "2");
        ours.unlock();
        assertThat(neighbours.hash(name)).containsEntry(neighbours.ourField(), "1");
        ours.unlock();
        assertThat(neighbours.hash(name)).isEmpty();
    }

    /** Redisson's field has the same form. */
    @Test
    void lock_theirs_countsInTheFieldOfItsOwner() {
        theirs.lock();
        theirs.lock();
        assertThat(neighbours.hash(name)).containsOnly(entry(neighbours.theirField(), "2"));
        theirs.unlock();
        theirs.unlock();
        assertThat(neighbours.hash(name)).isEmpty();
    }

    /** Redisson ignores Holdfast's second field, which is gone before Redisson's own hold begins. */
    @Test
    void tenure_isIgnoredByRedisson() {
        ours.lock();
        assertThat(neighbours.hash(name)).hasSize(2).containsKey(neighbours.ourField() + ":tenure");
        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.tryLock()).isFalse();
        ours.unlock();

        theirs.lock();
        assertThat(neighbours.hash(name)).containsOnlyKeys(neighbours.theirField());
        theirs.unlock();
    }

    /**
     * Redisson ignores the label of a Holdfast client: both libraries exclude and wake each other as without it, and it
     * is gone with the hold.
     */
    @Test
    void label_isIgnoredByRedisson() throws Exception {
        try (Holdfast labelled = Holdfast.builder()
                .redisUri(neighbours.server().uri())
                .label("pod 7")
                .build()) {
            DistributedLock lock = labelled.getLock(name);
            lock.lock();
            assertThat(neighbours.hash(name)).hasSize(3).containsEntry(labelled.clientId() + ":label", "pod 7");
            assertThat(theirs.isLocked()).isTrue();
            assertThat(theirs.isHeldByCurrentThread()).isFalse();
            assertThat(theirs.getHoldCount()).isZero();
            assertThat(theirs.tryLock()).isFalse();
            CompletableFuture<Void> waiting = Neighbours.passesThrough(theirs);
            neighbours.awaitWaiters(name, 1);
            lock.unlock();
            waiting.get(Neighbours.PROMPTLY.toMillis(), TimeUnit.MILLISECONDS);

            theirs.lock();
            assertThat(neighbours.hash(name)).containsOnlyKeys(neighbours.theirField());
            assertThat(lock.inspect().holder().orElseThrow().label()).isEmpty();
            assertThat(lock.inspect().holder().orElseThrow().since()).isEmpty();
            assertThat(lock.tryLock()).isFalse();
            theirs.unlock();

            assertThat(lock.tryLock()).isTrue();
            assertThat(theirs.forceUnlock()).isTrue();
            assertThat(neighbours.hash(name)).isEmpty();
        }
    }

    /** Redisson shows that Holdfast holds the lock, for how long, and that it is not its own hold. */
    @Test
    void ours_seenByTheirs() {
        ours.lock(LONG);

        assertThat(theirs.isLocked()).isTrue();
        assertThat(theirs.isHeldByCurrentThread()).isFalse();
        assertThat(theirs.getHoldCount()).isZero();
        assertThat(theirs.remainTimeToLive()).isBetween(1L, LONG.toMillis());

        ours.unlock();
        assertThat(theirs.isLocked()).isFalse();
    }

    /** Holdfast shows which owner of Redisson holds the lock, how often and for how long. */
    @Test
    void theirs_seenByOurs() {
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);

        LockInfo seen = ours.inspect();
        assertThat(seen.holders()).extracting(LockHolder::owner).containsExactly(neighbours.theirField());
        assertThat(seen.holdCount()).isEqualTo(2);
        assertThat(seen.remainingLease())
                .hasValueSatisfying(left -> assertThat(left).isBetween(Duration.ofMillis(1), LONG));
        assertThat(ours.isHeldByCurrentThread()).isFalse();

        theirs.unlock();
        theirs.unlock();
        assertThat(ours.isLocked()).isFalse();
    }
}
