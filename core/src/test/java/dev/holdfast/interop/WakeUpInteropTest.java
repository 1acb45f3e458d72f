package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.LONG;
import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.newName;
import static dev.holdfast.interop.Neighbours.passesThrough;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RLock;

/** A waiter for the other library's hold is woken by its release message, long before the lease would end. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
@SuppressWarnings("LockNotBeforeTry") // A hold that outlives its test has a name of its own.
class WakeUpInteropTest {
    private final Neighbours neighbours = new Neighbours();

    @AfterAll
    void stop() {
        neighbours.close();
    }

    /** A waiter of Holdfast receives Redisson's release message, whatever the characters of the name. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{tag}", "a{b", "with spaces", "名前 ☃ 😀"})
    void unlock_theirs_wakesOurWaiter(String suffix) {
        String name = newName() + suffix;
        RLock theirs = neighbours.theirs(name);
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> waiter = passesThrough(neighbours.ours(name));
        neighbours.awaitWaiters(name, 1);

        theirs.unlock();

        assertThat(waiter).succeedsWithin(PROMPTLY);
    }

    /** A waiter of Redisson receives Holdfast's release message, whatever the characters of the name. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{tag}", "a{b", "with spaces", "名前 ☃ 😀"})
    void unlock_ours_wakesTheirWaiter(String suffix) {
        String name = newName() + suffix;
        DistributedLock ours = neighbours.ours(name);
        ours.lock(LONG);
        CompletableFuture<Void> waiter = passesThrough(neighbours.theirs(name));
        neighbours.awaitWaiters(name, 1);

        ours.unlock();

        assertThat(waiter).succeedsWithin(PROMPTLY);
    }

    /** Waiters of both libraries acquire the lock after Redisson's release, and each one's release wakes the next. */
    @Test
    void unlock_theirs_servesWaitersOfBoth() {
        String name = newName();
        RLock theirs = neighbours.theirs(name);
        theirs.lock(LONG.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Void> waiters = waitersOfBoth(name);

        theirs.unlock();

        assertThat(waiters).succeedsWithin(PROMPTLY);
    }

    /** Waiters of both libraries acquire the lock after Holdfast's release, and each one's release wakes the next. */
    @Test
    void unlock_ours_servesWaitersOfBoth() {
        String name = newName();
        DistributedLock ours = neighbours.ours(name);
        ours.lock(LONG);
        CompletableFuture<Void> waiters = waitersOfBoth(name);

        ours.unlock();

        assertThat(waiters).succeedsWithin(PROMPTLY);
    }

    private CompletableFuture<Void> waitersOfBoth(String name) {
        CompletableFuture<Void> waiters =
                CompletableFuture.allOf(passesThrough(neighbours.ours(name)), passesThrough(neighbours.theirs(name)));
        neighbours.awaitWaiters(name, 2);
        return waiters;
    }
}
