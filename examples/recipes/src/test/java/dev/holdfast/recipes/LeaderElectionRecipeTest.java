package dev.holdfast.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
@Timeout(60)
final class LeaderElectionRecipeTest {
    private static final Duration LONGEST_STEP = Duration.ofSeconds(5);

    private final TestRedis redis;
    private final Holdfast holdfast;
    private final DistributedLock lock;
    private final ExecutorService instances = Executors.newCachedThreadPool();
    private final Set<Lease> terms = ConcurrentHashMap.newKeySet();
    private final AtomicInteger leaders = new AtomicInteger();
    private final AtomicInteger mostLeaders = new AtomicInteger();

    LeaderElectionRecipeTest(TestRedis redis, Holdfast holdfast) {
        this.redis = redis;
        this.holdfast = holdfast;
        this.lock = holdfast.getLock("leader");
    }

    @AfterEach
    void stop() {
        instances.shutdownNow();
    }

    private Future<?> instance(AtomicInteger steps) {
        return instances.submit(() -> {
            LeaderElection.run(lock, LONGEST_STEP, term -> {
                terms.add(term);
                mostLeaders.accumulateAndGet(leaders.incrementAndGet(), Math::max);
                steps.incrementAndGet();
                Thread.onSpinWait();
                leaders.decrementAndGet();
            });
            return null;
        });
    }

    /** One of two instances leads. When it stops, the other one does, and the lock is free when that has stopped too. */
    @Test
    void one_leads() {
        AtomicInteger first = new AtomicInteger();
        AtomicInteger second = new AtomicInteger();
        Future<?> leader = instance(first);
        Eventually.await().until(() -> first.get() > 0);
        Future<?> next = instance(second);
        Eventually.await().until(() -> holdfast.stats().waiters() == 1);
        assertThat(second).hasValue(0);

        leader.cancel(true);
        Eventually.await().until(() -> second.get() > 0);
        next.cancel(true);
        Eventually.await().until(() -> !lock.isLocked());
        assertThat(mostLeaders).hasValue(1);
    }

    /** A leader whose lock is lost does no further step until it is elected again, and a step has the lease of its term. */
    @Test
    void lostLock_endsTheTerm() {
        AtomicInteger steps = new AtomicInteger();
        Future<?> running = instance(steps);
        Eventually.await().until(() -> steps.get() > 0);

        redis.takeOver("leader").close();

        Eventually.await().until(() -> holdfast.stats().acquired() == 2);
        int elected = steps.get();
        Eventually.await().until(() -> steps.get() > elected);
        assertThat(running).isNotDone();
        assertThat(terms).hasSize(2).filteredOn(Lease::isValid).hasSize(1);
    }

    /** A leader without a connection begins no step that might outlast its lease, though that is still valid. */
    @Test
    void riskOfALoss_endsTheTerm() {
        AtomicInteger begun = new AtomicInteger();
        Semaphore ended = new Semaphore(0);
        Future<?> running = instances.submit(() -> {
            LeaderElection.run(lock, LONGEST_STEP, term -> {
                terms.add(term);
                begun.incrementAndGet();
                ended.acquireUninterruptibly();
            });
            return null;
        });
        Eventually.await().until(() -> begun.get() == 1);
        Lease term = terms.iterator().next();

        redis.partition();
        redis.clock().advance(term.remaining().minus(LONGEST_STEP));
        assertThat(term.isValid()).isTrue();
        ended.release();

        Eventually.await().until(() -> !term.isValid());
        assertThat(begun).hasValue(1);
        assertThat(running).isNotDone();
    }
}
