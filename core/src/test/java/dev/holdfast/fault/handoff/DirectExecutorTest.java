package dev.holdfast.fault.handoff;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.fault.HandoffScene;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Callbacks run on the thread that hands the lock off, since the callback executor runs tasks directly. */
@Tag("fault")
class DirectExecutorTest {
    private static final String NAME = "orders:42";
    private static final int MANY = 5_000;

    /** More than the nesting limit for handoffs on one thread. */
    private static final int DEEP = 24;

    /** The frames of a dozen nested calls, far fewer than those of hundreds. */
    private static final int FRAMES = 1_000;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final Holdfast client = direct();

    /** However many owners release in their callback, each gets the lock, and no call is nested in the one before. */
    @Test
    void release_inCallback_thousandsInSuccession() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, MANY);
        AtomicInteger deepest = new AtomicInteger();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        scene.waiting()
                .forEach(waiter -> ends.add(waiter.thenCompose(lease -> {
                    deepest.accumulateAndGet(depth(), Math::max);
                    return lease.releaseAsync();
                })));

        scene.owner().close();

        ends.forEach(FaultyRedis::get);
        assertThat(deepest).hasValueLessThan(FRAMES);
        assertThat(client.stats().acquired()).isEqualTo(MANY + 3);
    }

    /** A release in a callback may block, as on any thread that is not the driver's. */
    @Test
    void blockingRelease_inCallback_returns() {
        HandoffScene scene = HandoffScene.warm(faulty, client, NAME, 3);
        List<CompletableFuture<Void>> ends = scene.waiting().stream()
                .map(waiter -> waiter.thenAccept(Lease::close))
                .toList();

        CompletableFuture<Boolean> released = elsewhere(() -> {
            scene.owner().close();
            return true;
        });

        assertThat(get(released)).isTrue();
        scene.assumeWithinTurn();
        ends.forEach(FaultyRedis::get);
    }

    /**
     * Application code that blocks all threads of the common pool delays no handoff, not even when the callback of one
     * client releases a lock of the next, each nested in the one before, so deep that another thread must continue.
     */
    @Test
    void release_inCallback_commonPoolIsBlocked() {
        List<HandoffScene> scenes = new ArrayList<>();
        while (scenes.size() < DEEP) {
            scenes.add(HandoffScene.warm(faulty, direct(), NAME + ":" + scenes.size(), 2));
        }
        List<Lease> owners = withNewBudgets(scenes);
        List<CompletableFuture<Lease>> last =
                scenes.stream().map(scene -> scene.waiting().get(1)).toList();
        List<CompletableFuture<?>> released = new ArrayList<>();
        for (int i = 1; i < DEEP; i++) {
            Lease next = owners.get(i);
            released.add(last.get(i - 1).thenCompose(lease -> next.releaseAsync()));
        }
        CountDownLatch blocked = new CountDownLatch(1);
        for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
            ForkJoinPool.commonPool().execute(() -> awaitEnd(blocked));
        }
        try {
            owners.get(0).close();

            released.forEach(FaultyRedis::get);
        } finally {
            blocked.countDown();
        }
        last.forEach(lease -> get(lease).close());
    }

    /**
     * Makes the first waiter of each scene acquire the lock by a real release, with a new budget, so that the next
     * release is a handoff again.
     */
    private static List<Lease> withNewBudgets(List<HandoffScene> scenes) {
        List<CompletableFuture<?>> releases = new ArrayList<>();
        scenes.forEach(scene -> releases.add(scene.owner().releaseAsync()));
        releases.forEach(FaultyRedis::get);
        return scenes.stream().map(scene -> get(scene.next())).toList();
    }

    private Holdfast direct() {
        return faulty.client(
                builder -> builder.callbackExecutor(Runnable::run).commandTimeout(FaultyRedis.LONG.dividedBy(4)));
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static int depth() {
        return Math.toIntExact(StackWalker.getInstance().walk(Stream::count));
    }
}
