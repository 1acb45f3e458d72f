package dev.holdfast.fault.giveup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many owners hand a lock off, and some give up at any moment: an owner that is granted the lock holds it, alone. */
@Tag("fault")
@Tag("slow")
@SuppressWarnings("LockNotBeforeTry") // the test is about the locking; nothing under it fails
final class RandomLeaversTest {
    private static final int EACH = 6;
    private static final int ROUNDS = 150;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Guarded guarded = new Guarded();
    private final List<CompletableFuture<Integer>> runs = new ArrayList<>();

    /** Callers that leave by a timeout, an interrupt or a cancellation leave no hold behind, and no gap. */
    @Test
    void leaversOfEveryKind_countExactly() {
        leavers(redis.lock());
        stayers(redis.lock());

        int entered = entered();

        guarded.assertEntered(entered);
        assertThat(entered).isGreaterThan(EACH * ROUNDS);
    }

    /** Nor do they with another client in between. */
    @Test
    void leaversOfTwoClients_countExactly() {
        leavers(redis.lock());
        leavers(redis.rival().getLock(redis.name()));
        stayers(redis.lock());

        int entered = entered();

        guarded.assertEntered(entered);
    }

    /** Nor when replies take so long that many leave before theirs arrives. */
    @Test
    void leaversFarAway_countExactly() {
        try (FaultProxy far = FaultProxy.inFrontOf(redis.server());
                Holdfast client = redis.connect(builder -> builder.redisUri(far.uri()))) {
            far.delay(Duration.ofMillis(1));
            leavers(client.getLock(redis.name()));
            leavers(redis.lock());

            int entered = entered();

            guarded.assertEntered(entered);
            Patience.await().until(() -> SharedRedis.residueOf(client).isEmpty());
        }
    }

    private int entered() {
        return runs.stream()
                .mapToInt(run -> FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3)))
                .sum();
    }

    private void stayers(DistributedLock lock) {
        run(random -> {
            lock.lock();
            guarded.enter();
            lock.unlock();
            return true;
        });
    }

    private void leavers(DistributedLock lock) {
        run(random -> {
            if (!lock.tryLock(Duration.ofNanos(random.nextInt(3_000_000)))) {
                return false;
            }
            guarded.enter();
            lock.unlock();
            return true;
        });
        run(random -> {
            CompletableFuture<Lease> wanted = lock.acquireAsync();
            CompletableFuture.delayedExecutor(random.nextInt(1_000), TimeUnit.MICROSECONDS)
                    .execute(() -> wanted.cancel(true));
            try {
                Lease lease = wanted.get();
                guarded.enter();
                lease.close();
                return true;
            } catch (CancellationException e) {
                return false;
            }
        });
        run(random -> {
            Thread owner = Thread.currentThread();
            CompletableFuture<Void> interrupt = CompletableFuture.runAsync(
                    owner::interrupt, CompletableFuture.delayedExecutor(random.nextInt(1_000), TimeUnit.MICROSECONDS));
            boolean held = false;
            try {
                lock.lockInterruptibly();
                held = true;
                guarded.enter();
            } catch (InterruptedException e) {
                held = false;
            }
            if (held) {
                lock.unlock();
            }
            interrupt.join();
            assertThat(Thread.interrupted() || !held).isTrue();
            return held;
        });
    }

    /** One round of a caller. */
    private interface Round {
        boolean enters(Random random) throws Exception;
    }

    private void run(Round round) {
        for (int i = 0; i < EACH; i++) {
            Random random = new Random(i);
            runs.add(redis.worker().begins(() -> {
                int entered = 0;
                for (int n = 0; n < ROUNDS; n++) {
                    entered += round.enters(random) ? 1 : 0;
                }
                return entered;
            }));
        }
    }
}
