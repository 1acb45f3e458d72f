package dev.holdfast.fault.several;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sets of locks that overlap and are named in any order. Each caller gets its turn, each lock has one holder at a time,
 * and nothing is left.
 */
@Tag("fault")
@Tag("slow")
class MultiLockContentionTest {
    private static final int CLIENTS = 8;
    private static final int THREADS = 4;
    private static final int NAMES = 5;
    private static final int ROUNDS = 25;

    /**
     * 800 calls take some seconds altogether: a caller that others overtake again and again waits for most of that. Half of
     * the run counts where it takes longer.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(4);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final List<Guarded> guarded =
            Stream.generate(Guarded::new).limit(NAMES).toList();
    private final List<AtomicInteger> expected =
            Stream.generate(AtomicInteger::new).limit(NAMES).toList();

    /** The longest wait is bounded: there is neither a deadlock nor a livelock, and no caller starves. */
    @Test
    void sets_inAnyOrder_everyoneHasItsTurn() {
        List<CompletableFuture<Duration>> runs = new ArrayList<>();
        long start = System.nanoTime();
        for (int c = 0; c < CLIENTS; c++) {
            Holdfast client = redis.client(builder -> builder);
            for (int t = 0; t < THREADS; t++) {
                Random random = new Random(c * 100L + t);
                runs.add(FaultyRedis.elsewhere(() -> longestWait(client, random)));
            }
        }
        Duration longest = runs.stream()
                .map(run -> FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3)))
                .max(Duration::compareTo)
                .orElseThrow();
        Duration whole = FaultyRedis.since(start);
        System.out.println(
                "The longest wait for a multi-lock: " + longest.toMillis() + " ms of " + whole.toMillis() + " ms");
        assertThat(longest).isLessThan(Collections.max(List.of(LONGEST_WAIT, whole.dividedBy(2))));
        assertCounts();
    }

    private Duration longestWait(Holdfast client, Random random) {
        long longest = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> set = anySet(random);
            MultiLock lock = lock(client, set);
            long began = System.nanoTime();
            lock.lock();
            try {
                longest = Math.max(longest, System.nanoTime() - began);
                set.forEach(this::enter);
            } finally {
                lock.unlock();
            }
        }
        return Duration.ofNanos(longest);
    }

    /** Callers that give up at any moment leave no member behind, and the others are served. */
    @Test
    void sets_ofCallersThatGiveUp() {
        List<CompletableFuture<Integer>> runs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Random random = new Random(i);
            Holdfast client = i % 2 == 0 ? redis.client() : redis.rival();
            boolean stays = i % 3 == 0;
            runs.add(FaultyRedis.elsewhere(() -> served(client, random, stays)));
        }
        int served = runs.stream()
                .mapToInt(run -> FaultyRedis.get(run, Patience.LIMIT.multipliedBy(3)))
                .sum();
        assertThat(served).isGreaterThanOrEqualTo(4 * ROUNDS);
        assertCounts();
    }

    private int served(Holdfast client, Random random, boolean stays) throws Exception {
        int served = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> set = anySet(random);
            CompletableFuture<MultiLease> wanted = lock(client, set).acquireAsync();
            if (!stays) {
                CompletableFuture.delayedExecutor(random.nextInt(4_000), TimeUnit.MICROSECONDS)
                        .execute(() -> wanted.cancel(true));
            }
            try (MultiLease lease = wanted.get()) {
                assertThat(lease.isValid()).isTrue();
                set.forEach(this::enter);
                served++;
            } catch (CancellationException e) {
                assertThat(stays).isFalse();
            }
        }
        return served;
    }

    private void enter(int name) {
        guarded.get(name).enter();
        expected.get(name).incrementAndGet();
    }

    private void assertCounts() {
        for (int name = 0; name < NAMES; name++) {
            guarded.get(name).assertEntered(expected.get(name).get());
        }
    }

    /** {@return two or more names in any order} */
    private static List<Integer> anySet(Random random) {
        List<Integer> names = new ArrayList<>(IntStream.range(0, NAMES).boxed().toList());
        Collections.shuffle(names, random);
        return names.subList(0, 2 + random.nextInt(NAMES - 1));
    }

    private static MultiLock lock(Holdfast client, List<Integer> names) {
        return Holdfast.multiLock(names.stream()
                .map(name -> client.getLock(redis.name() + ":" + name))
                .toArray(DistributedLock[]::new));
    }
}
