package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static dev.holdfast.interop.Neighbours.under;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.MultiLock;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonMultiLock;
import org.redisson.api.RLock;

/** The members of a multi-lock are ordinary locks to Redisson's clients, and those of Redisson's are to ours. */
@Tag("interop")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; no work is done under it
class MultiLockInteropTest {
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final int ROUNDS = 50;

    @AutoClose
    private final Neighbours neighbours = new Neighbours();

    /** In the order in which both libraries acquire them. */
    private final List<String> names =
            Stream.generate(Neighbours::newName).limit(3).sorted().toList();

    private final MultiLock ours =
            Holdfast.multiLock(names.stream().map(neighbours::ours).toArray(DistributedLock[]::new));
    private final RedissonMultiLock theirs =
            new RedissonMultiLock(names.stream().map(neighbours::theirs).toArray(RLock[]::new));

    /** While ours is held, each member is busy for Redisson, and the release wakes a waiter of Redisson. */
    @Test
    void held_membersAreBusyForTheirs() {
        ours.lock(LONG);
        for (String name : names) {
            assertThat(neighbours.theirs(name).tryLock()).as(name).isFalse();
            assertThat(neighbours.theirs(name).isLocked()).as(name).isTrue();
        }
        assertThat(theirs.tryLock()).isFalse();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (String name : names) {
            waiting.add(passesThrough(neighbours.theirs(name)));
            neighbours.awaitWaiters(name, 1);
        }

        ours.unlock();

        waiting.forEach(waiter -> assertThat(waiter).succeedsWithin(PROMPTLY));
        assertThat(names).allMatch(name -> neighbours.hash(name).isEmpty());
    }

    /** A member that Redisson holds keeps ours from all, and its release wakes ours. */
    @RealTime
    void member_isTheirs_noneIsOurs() throws InterruptedException {
        for (String name : names) {
            RLock member = neighbours.theirs(name);
            member.lock(LONG.toSeconds(), TimeUnit.SECONDS);
            assertThat(ours.tryLock()).isFalse();
            assertThat(ours.tryLock(BRIEF)).isFalse();
            await().atMost(PROMPTLY).untilAsserted(() -> assertThat(names)
                    .filteredOn(other -> !neighbours.hash(other).isEmpty())
                    .containsExactly(name));
            CompletableFuture<Void> waiting = passesThrough(ours);
            neighbours.awaitWaiters(name, 1);

            member.unlock();

            assertThat(waiting).succeedsWithin(PROMPTLY);
        }
    }

    /** The multi-locks of both libraries exclude each other, and both go on. */
    @Test
    void multiLocks_ofBoth_excludeEachOther() {
        Guarded guarded = new Guarded();
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(inNewThread(() -> repeatedly(theirs, guarded)));
            threads.add(inNewThread(() -> repeatedly(ours, guarded)));
        }
        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(LONG);
        guarded.assertEntered(4 * ROUNDS);
    }

    private static void repeatedly(Lock lock, Guarded guarded) {
        for (int round = 0; round < ROUNDS; round++) {
            under(lock, guarded::enter);
        }
    }
}
