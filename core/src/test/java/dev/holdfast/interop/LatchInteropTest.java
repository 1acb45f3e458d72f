package dev.holdfast.interop;

import static dev.holdfast.interop.Neighbours.PROMPTLY;
import static dev.holdfast.interop.Neighbours.inNewThread;
import static dev.holdfast.interop.Neighbours.newName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedCountDownLatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RCountDownLatch;

/** A latch that clients of both libraries use: each opens it for the other. */
@Tag("interop")
@Tag("driver")
@TestInstance(Lifecycle.PER_CLASS)
final class LatchInteropTest {
    private final Neighbours neighbours = new Neighbours();

    @AfterAll
    void stop() {
        neighbours.close();
    }

    private void awaitListeners(String name, int listeners) {
        String channel = "redisson_countdownlatch__channel__{" + name + "}";
        await().atMost(PROMPTLY)
                .until(() -> neighbours.server().command("PUBSUB", "NUMSUB", channel) instanceof List<?> reply
                        && reply.get(1).equals((long) listeners));
    }

    private static CompletableFuture<Void> theyAwait(RCountDownLatch theirs) {
        return inNewThread(() -> {
            try {
                theirs.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** We set and count to zero; Redisson's callers of both kinds return. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{tag}", "with spaces", "名前 ☃ 😀"})
    void ours_opensForTheirs(String suffix) {
        String name = newName() + suffix;
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        RCountDownLatch theirs = neighbours.theirLatch(name);
        assertThat(ours.trySetCount(2)).isTrue();
        assertThat(theirs.trySetCount(3)).isFalse();
        assertThat(theirs.getCount()).isEqualTo(2);
        CompletableFuture<Void> blocking = theyAwait(theirs);
        CompletableFuture<Void> async = theirs.awaitAsync().toCompletableFuture();
        awaitListeners(name, 1);

        ours.countDown();
        assertThat(blocking).isNotDone();
        ours.countDown();

        assertThat(blocking).succeedsWithin(PROMPTLY);
        assertThat(async).succeedsWithin(PROMPTLY);
        assertThat(theirs.getCount()).isZero();
    }

    /** Redisson sets and counts to zero; our callers return. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{tag}", "with spaces", "名前 ☃ 😀"})
    void theirs_opensForOurs(String suffix) {
        String name = newName() + suffix;
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        RCountDownLatch theirs = neighbours.theirLatch(name);
        assertThat(theirs.trySetCount(2)).isTrue();
        assertThat(ours.trySetCount(3)).isFalse();
        CompletableFuture<?> waiting = ours.awaitAsync();
        awaitListeners(name, 1);

        theirs.countDown();
        assertThat(ours.getCount()).isEqualTo(1);
        assertThat(waiting).isNotDone();
        theirs.countDown();

        assertThat(waiting).succeedsWithin(PROMPTLY);
        assertThat(ours.getCount()).isZero();
        assertThat(ours.trySetCount(1)).isTrue();
        ours.delete();
    }

    /** Both count down one count of ours; Redisson's last one opens it for us, although it leaves no mark. */
    @Test
    void both_countDown() {
        String name = newName();
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        RCountDownLatch theirs = neighbours.theirLatch(name);
        ours.trySetCount(4);
        CompletableFuture<?> waiting = ours.awaitAsync();
        CompletableFuture<Void> theirWait = theyAwait(theirs);
        awaitListeners(name, 2);

        theirs.countDown();
        ours.countDown(2);
        assertThat(theirs.getCount()).isEqualTo(1);
        theirs.countDown();

        assertThat(waiting).succeedsWithin(PROMPTLY);
        assertThat(theirWait).succeedsWithin(PROMPTLY);
    }

    /** What Redisson does when it opens a count of ours and sets another one, at once: our caller does not miss the opening. */
    @Test
    void theirs_opensAndSetsAgain() {
        String name = newName();
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        ours.trySetCount(1);
        CompletableFuture<?> waiting = ours.awaitAsync();
        awaitListeners(name, 1);

        neighbours
                .server()
                .command(
                        "EVAL",
                        "redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], 0) redis.call('set', KEYS[1], 5)"
                                + " redis.call('publish', KEYS[2], 1)",
                        "2",
                        name,
                        "redisson_countdownlatch__channel__{" + name + "}");

        assertThat(waiting).succeedsWithin(PROMPTLY);
        assertThat(ours.getCount()).isEqualTo(5);
        ours.delete();
    }

    /** Redisson's callers wait for a count of ours that follows an opening. */
    @Test
    void ours_setAgain_theyWait() throws InterruptedException {
        String name = newName();
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        RCountDownLatch theirs = neighbours.theirLatch(name);
        ours.trySetCount(1);
        CompletableFuture<Void> first = theyAwait(theirs);
        awaitListeners(name, 1);
        ours.countDown();
        assertThat(first).succeedsWithin(PROMPTLY);

        ours.trySetCount(1);

        assertThat(theirs.await(100, TimeUnit.MILLISECONDS)).isFalse();
        CompletableFuture<Void> second = theyAwait(theirs);
        ours.countDown();
        assertThat(second).succeedsWithin(PROMPTLY);
    }

    /** A count that either library deletes is gone for both. */
    @Test
    void delete_eitherWay() {
        String name = newName();
        DistributedCountDownLatch ours = neighbours.ourLatch(name);
        RCountDownLatch theirs = neighbours.theirLatch(name);
        ours.trySetCount(1);
        CompletableFuture<?> waiting = ours.awaitAsync();
        awaitListeners(name, 1);
        assertThat(theirs.delete()).isTrue();
        assertThat(waiting).as("counts as opened").succeedsWithin(PROMPTLY);
        theirs.trySetCount(1);
        assertThat(ours.delete()).isTrue();
        assertThat(theirs.getCount()).isZero();
    }
}
