package dev.holdfast.fault.several;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Callers of several clients share a few segments, and many of them leave at any moment. Each segment has one holder at
 * a time, those that stay are all served, and nothing is left: the extension checks keys and clients after each test.
 */
@Tag("fault")
class SegmentLeaversTest {
    private static final int SEGMENTS = 3;
    private static final int ROUNDS = 150;
    private static final int EACH = 3;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final List<Guarded> guarded =
            Stream.generate(Guarded::new).limit(SEGMENTS).toList();
    private final List<AtomicInteger> expected =
            Stream.generate(AtomicInteger::new).limit(SEGMENTS).toList();
    private final List<CompletableFuture<Integer>> runs = new ArrayList<>();

    /** One round of a caller: whether it had a segment. */
    private interface Round {
        boolean pass(Random random) throws Exception;
    }

    /** Callers that leave by a timeout, an interrupt or a cancellation, beside others that stay. */
    @Test
    void leavers_ofTwoClients() {
        leavers(lock(redis.client()));
        leavers(lock(redis.rival()));
        int stay = stayers(lock(redis.client())) + stayers(lock(redis.rival()));

        assertThat(served()).isGreaterThan(stay);
    }

    /** The same where replies take so long that many leave before theirs arrives. */
    @Test
    void leavers_farAway() {
        try (FaultProxy far = FaultProxy.inFrontOf(redis.server());
                Holdfast client = redis.connect(builder -> builder.redisUri(far.uri()))) {
            far.delay(Duration.ofMillis(1));
            leavers(lock(client));
            int stay = stayers(lock(client)) + stayers(lock(redis.client()));

            assertThat(served()).isGreaterThan(stay);
            Patience.await().until(() -> SharedRedis.residueOf(client).isEmpty());
        }
    }

    /** Callers of single segments by name, and callers whose views differ, compete for the same segments. */
    @Test
    void stayers_besideSingleSegments() {
        int stay = stayers(lock(redis.client())) + stayers(lock(redis.rival()).without(0));
        run(random -> {
            int segment = random.nextInt(SEGMENTS);
            redis.rival().getLock(redis.name() + ":" + segment).runLocked(() -> enter(segment));
            return true;
        });

        assertThat(served()).isEqualTo(stay + EACH * ROUNDS);
    }

    private SegmentedLock lock(Holdfast client) {
        return client.getSegmentedLock(redis.name(), SEGMENTS);
    }

    private int stayers(SegmentedLock lock) {
        run(random -> {
            try (SegmentLease lease = lock.acquire()) {
                enter(lease.segment());
            }
            return true;
        });
        return EACH * ROUNDS;
    }

    private void leavers(SegmentedLock lock) {
        run(random -> {
            try {
                return used(lock.tryAcquire(Duration.ofNanos(random.nextInt(3_000_000)))
                        .orElse(null));
            } catch (LockException e) {
                return false; // the machine was busy for so long that Redis has not said whether all are busy
            }
        });
        run(random -> {
            CompletableFuture<SegmentLease> wanted = lock.acquireAsync();
            CompletableFuture.delayedExecutor(random.nextInt(2_000), TimeUnit.MICROSECONDS)
                    .execute(() -> wanted.cancel(true));
            try {
                return used(wanted.get());
            } catch (CancellationException e) {
                return false;
            }
        });
        run(random -> {
            Thread owner = Thread.currentThread();
            CompletableFuture<Void> interrupt = CompletableFuture.runAsync(
                    owner::interrupt, CompletableFuture.delayedExecutor(random.nextInt(2_000), TimeUnit.MICROSECONDS));
            SegmentLease held = null;
            try {
                held = lock.acquireInterruptibly();
            } catch (InterruptedException e) {
                // Its caller has left.
            }
            interrupt.join();
            Thread.interrupted();
            return used(held);
        });
    }

    private boolean used(@Nullable SegmentLease lease) {
        if (lease == null) {
            return false;
        }
        enter(lease.segment());
        lease.close();
        return true;
    }

    private void enter(int segment) {
        guarded.get(segment).enter();
        expected.get(segment).incrementAndGet();
    }

    private void run(Round round) {
        for (int i = 0; i < EACH; i++) {
            Random random = new Random(runs.size());
            runs.add(FaultyRedis.elsewhere(() -> {
                int served = 0;
                for (int n = 0; n < ROUNDS; n++) {
                    served += round.pass(random) ? 1 : 0;
                }
                return served;
            }));
        }
    }

    /** {@return how often callers had a segment, each alone} */
    private int served() {
        int served = runs.stream()
                .mapToInt(run -> FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3)))
                .sum();
        for (int segment = 0; segment < SEGMENTS; segment++) {
            guarded.get(segment).assertEntered(expected.get(segment).get());
        }
        return served;
    }
}
