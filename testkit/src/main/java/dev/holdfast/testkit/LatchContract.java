package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of count-down latches, wherever they are stored: all that await one return when its count was counted down to zero, by
 * whichever clients, and not before; they fail if it is deleted; nobody misses either, and nothing is left behind. To run it, extend
 * it, as {@link LockContract}.
 *
 * <p>It requires what a {@link java.util.concurrent.CountDownLatch} does; and that a latch without a count is open, and can be given
 * one.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.SAME_THREAD)
public abstract class LatchContract {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String name = Stage.newName();
    private LatchFixture fixture;
    private LatchClient first;
    private LatchClient second;

    /** For subclasses. */
    protected LatchContract() {}

    /** {@return a new fixture; called once for each test} */
    protected abstract LatchFixture newFixture();

    /** The time limit for an event that must happen. */
    protected Duration timeout() {
        return TIMEOUT;
    }

    @BeforeEach
    final void openFixture() {
        fixture = newFixture();
        first = fixture.newClient();
        second = fixture.newClient();
    }

    /** After every test, nothing of its latch is left but a count, which is deleted. */
    @AfterEach
    final void closeFixture() {
        try {
            assertThat(first.delete(name)).succeedsWithin(timeout());
            Stage.awaitNothingLeft(timeout(), Stream.of(first::residue, second::residue, fixture::residue));
        } finally {
            first.close();
            second.close();
            fixture.close();
        }
    }

    private void until(Runnable assertion) {
        Stage.await(timeout()).untilAsserted(assertion::run);
    }

    private <T> void assertAnswer(CompletableFuture<T> call, T expected) {
        assertThat(call).succeedsWithin(timeout()).isEqualTo(expected);
    }

    private void sets(long count) {
        assertAnswer(first.trySetCount(name, count), true);
    }

    private void countsDown(LatchClient client, long by) {
        assertThat(client.countDown(name, by)).succeedsWithin(timeout());
    }

    /** Both clients see this count, and the latch open if it is zero. */
    private void assertCount(long count) {
        for (LatchClient client : List.of(first, second)) {
            assertAnswer(client.count(name), count);
            assertAnswer(client.await(name, Duration.ZERO), count == 0);
        }
    }

    /** {@return the future of a call that waits, behind so many of the same client} */
    private CompletableFuture<Boolean> waits(LatchClient client, int before) {
        CompletableFuture<Boolean> waiting = client.await(name, LONG);
        until(() -> assertThat(client.isAwaited(name, before + 1))
                .as("a call that must wait")
                .isTrue());
        return waiting;
    }

    /** {@return two calls of each client} */
    private List<CompletableFuture<Boolean>> allWait() {
        return Stream.of(first, second)
                .flatMap(client -> IntStream.range(0, 2).mapToObj(before -> waits(client, before)))
                .toList();
    }

    /** A latch that was never set is open, and there is nothing to count down or to delete. */
    @Test
    final void withoutCount_isOpen() {
        countsDown(first, 1);
        assertCount(0);
        assertAnswer(first.await(name, LONG), true);
        assertAnswer(second.delete(name), false);
    }

    /** The first of several calls sets the count. */
    @Test
    final void count_isSetOnce() {
        sets(2);
        assertAnswer(first.trySetCount(name, 3), false);
        assertAnswer(second.trySetCount(name, 1), false);
        assertCount(2);
    }

    /** Whichever clients count down; at zero the latch is open, stays so, and can be set again. */
    @Test
    final void countDown_byAnyClient() {
        sets(3);
        countsDown(second, 1);
        countsDown(first, 1);
        assertCount(1);
        countsDown(second, 1);
        assertCount(0);
        countsDown(first, 1);
        assertCount(0);
        sets(2);
        assertCount(2);
    }

    /** Several at once; more than the count are as many as it is. */
    @Test
    final void countDown_several() {
        sets(5);
        countsDown(second, 3);
        assertCount(2);
        countsDown(first, 7);
        assertCount(0);
        sets(1);
        assertCount(1);
    }

    /** Each of many countdowns at the same time counts, and none twice. */
    @Test
    final void countDown_atTheSameTime() {
        int each = 50;
        sets(2 * each + 1);
        List<CompletableFuture<?>> downs = IntStream.range(0, each)
                .boxed()
                .<CompletableFuture<?>>flatMap(i -> Stream.of(first.countDown(name, 1), second.countDown(name, 1)))
                .toList();
        downs.forEach(down -> assertThat(down).succeedsWithin(timeout()));
        assertCount(1);
    }

    /** All callers of all clients are woken by the last countdown, and none by an earlier one. */
    @Test
    final void opening_wakesAll() {
        sets(2);
        List<CompletableFuture<Boolean>> waiting = allWait();
        countsDown(first, 1);
        assertCount(1);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        countsDown(second, 1);
        waiting.forEach(wait -> assertAnswer(wait, true));
    }

    /** A count that is set right after the opening does not hide that. */
    @Test
    final void opening_setAgainAtOnce() {
        sets(1);
        for (int round = 0; round < 10; round++) {
            List<CompletableFuture<Boolean>> waiting = List.of(waits(first, 0), waits(second, 0));
            CompletableFuture<?> down = first.countDown(name, 1);
            assertAnswer(first.trySetCount(name, 1), true);
            assertThat(down).succeedsWithin(timeout());
            waiting.forEach(wait -> assertAnswer(wait, true));
        }
    }

    /** All that await a count which is deleted fail, and the latch is open for those that come later. */
    @Test
    final void deletion_failsAllThatWait() {
        sets(1);
        List<CompletableFuture<Boolean>> waiting = allWait();
        assertAnswer(first.delete(name), true);
        waiting.forEach(wait -> assertThat(wait).failsWithin(timeout()));
        assertCount(0);
        assertAnswer(second.delete(name), false);
    }

    /** The same if another count is set right after the deletion. */
    @Test
    final void deletion_setAgainAtOnce() {
        sets(1);
        List<CompletableFuture<Boolean>> waiting = List.of(waits(first, 0), waits(second, 0));
        CompletableFuture<Boolean> deleted = first.delete(name);
        assertAnswer(first.trySetCount(name, 1), true);
        assertAnswer(deleted, true);
        waiting.forEach(wait -> assertThat(wait).failsWithin(timeout()));
        assertCount(1);
    }

    /** A wait ends with its time, and the count stays. */
    @Test
    final void wait_ends() {
        sets(1);
        CompletableFuture<Boolean> stays = waits(first, 0);
        assertAnswer(first.await(name, BRIEF), false);
        assertAnswer(second.await(name, BRIEF), false);
        assertCount(1);
        countsDown(second, 1);
        assertAnswer(stays, true);
    }

    /** One that waits no longer is no longer counted, and the others wait on. */
    @Test
    final void waiter_leaves() {
        sets(1);
        CompletableFuture<Boolean> leaves = waits(first, 0);
        CompletableFuture<Boolean> stays = waits(first, 1);
        assertThat(leaves.cancel(false)).isTrue();
        until(() -> assertThat(first.isAwaited(name, 1)).as("one waits").isTrue());
        countsDown(second, 1);
        assertAnswer(stays, true);
    }
}
