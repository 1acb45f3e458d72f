package dev.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The locks of tasks on a real Redis, by two instances. */
final class HoldfastLockProviderTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** ShedLock's times, the duration between two of them and that of a key in Redis are whole milliseconds. */
    private static final Duration ROUNDING = Duration.ofMillis(5);

    private static final RedisServer redis = RedisServer.start();
    private static final Holdfast one = Holdfast.connect(redis.uri());
    private static final Holdfast other = Holdfast.connect(redis.uri());

    private final HoldfastLockProvider provider = new HoldfastLockProvider(one);
    private final HoldfastLockProvider rival = new HoldfastLockProvider(other);

    @AfterAll
    static void close() {
        one.close();
        other.close();
        redis.close();
    }

    private static Holdfast hastyClientOf(RedisServer server) {
        return Holdfast.builder()
                .redisUri(server.uri())
                .commandTimeout(Duration.ofSeconds(1))
                .build();
    }

    private static LockConfiguration task(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(ClockProvider.now(), name, atMost, atLeast);
    }

    /** One instance has the lock of a task, until it is released; the same thread does not get it twice. */
    @Test
    void lock_once() {
        SimpleLock lock = provider.lock(task("once", MINUTE, Duration.ZERO)).orElseThrow();
        assertThat(redis.keys()).contains("shedlock:once");
        assertThat(rival.lock(task("once", MINUTE, Duration.ZERO))).isEmpty();
        assertThat(provider.lock(task("once", MINUTE, Duration.ZERO))).isEmpty();
        lock.unlock();
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        rival.lock(task("once", MINUTE, Duration.ZERO)).orElseThrow().unlock();
        assertThat(redis.keys()).doesNotContain("shedlock:once");
    }

    /** A released lock stays busy for as long as it is to be kept at least, and no longer, although nobody holds it. */
    @Test
    void lockAtLeastFor_isKept() {
        long begin = System.nanoTime();
        provider.lock(task("kept", MINUTE.multipliedBy(10), MINUTE))
                .orElseThrow()
                .unlock();
        long left = Objects.requireNonNull((Long) redis.command("PTTL", "shedlock:kept"));
        Duration passed = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(Duration.ofMillis(left)).isBetween(MINUTE.minus(passed).minus(ROUNDING), MINUTE);
        assertThat(rival.lock(task("kept", MINUTE, Duration.ZERO))).isEmpty();
        redis.command("PEXPIRE", "shedlock:kept", "1");
        Eventually.await()
                .until(() -> rival.lock(task("kept", MINUTE, Duration.ZERO)).isPresent());
    }

    /** After the longest time the lock is free, and the late release does not touch that of the next owner. */
    @Test
    void lockAtMostFor_ends() {
        SimpleLock late = provider.lock(task("short", Duration.ofMillis(50), Duration.ZERO))
                .orElseThrow();
        Eventually.await().until(() -> !redis.keys().contains("shedlock:short"));
        SimpleLock next = rival.lock(task("short", MINUTE, Duration.ZERO)).orElseThrow();
        late.unlock();
        assertThat(provider.lock(task("short", MINUTE, Duration.ZERO))).isEmpty();
        next.unlock();
    }

    /** A lock of the renewed provider outlives {@code lockAtMostFor} while its task runs, and no longer. */
    @Test
    void renewed_whileRunning() {
        TestClock clock = new TestClock();
        try (Holdfast client =
                clock.applyTo(Holdfast.builder().redisUri(redis.uri())).build()) {
            SimpleLock lock = HoldfastLockProvider.renewed(client)
                    .lock(task("renewed", Duration.ofMillis(50), Duration.ZERO))
                    .orElseThrow();
            assertThat((Long) redis.command("PTTL", "shedlock:renewed")).isGreaterThan(10_000);
            redis.command("PEXPIRE", "shedlock:renewed", "20000");
            clock.advance(Duration.ofSeconds(10));
            Eventually.await().untilAsserted(() -> assertThat((Long) redis.command("PTTL", "shedlock:renewed"))
                    .isGreaterThan(20_000));
            assertThat(rival.lock(task("renewed", MINUTE, Duration.ZERO))).isEmpty();
            lock.unlock();
            assertThat(redis.keys()).doesNotContain("shedlock:renewed");
        }
    }

    /** It keeps {@code lockAtLeastFor} as the other does, and has names of its own if they are given. */
    @Test
    void renewed_lockAtLeastFor() {
        HoldfastLockProvider.renewed(one, "jobs:")
                .lock(task("least", MINUTE, MINUTE))
                .orElseThrow()
                .unlock();
        assertThat((Long) redis.command("PTTL", "jobs:least")).isBetween(1_000L, MINUTE.toMillis());
    }

    /** Of a task that took longer than its lock was held, a warning has the name, the duration and the limit. */
    @Test
    void overrun_isLogged() {
        SimpleLock late = provider.lock(task("overrun", Duration.ofMillis(50), Duration.ZERO))
                .orElseThrow();
        SimpleLock timely = provider.lock(task("timely", MINUTE, Duration.ZERO)).orElseThrow();
        SimpleLock renewed = HoldfastLockProvider.renewed(one)
                .lock(task("unlimited", Duration.ofMillis(50), Duration.ZERO))
                .orElseThrow();
        Eventually.await().until(() -> !redis.keys().contains("shedlock:overrun"));
        long granted = System.nanoTime();
        Eventually.await()
                .until(() -> System.nanoTime() - granted > Duration.ofMillis(50).toNanos());
        PrintStream before = System.err;
        ByteArrayOutputStream logged = new ByteArrayOutputStream();
        System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
        try {
            late.unlock();
            timely.unlock();
            renewed.unlock();
        } finally {
            System.setErr(before);
        }
        assertThat(logged.toString(StandardCharsets.UTF_8))
                .containsPattern("WARN .*Task 'overrun' took [0-9]+ ms, longer than its lockAtMostFor of 50 ms")
                .doesNotContain("timely", "unlimited");
    }

    /** No lease is shorter than a millisecond, which a task without any time gets. */
    @Test
    void atLeastOneMilli_ofZero() {
        assertThat(HoldfastLockProvider.atLeastOneMilli(Duration.ZERO)).isEqualTo(Duration.ofMillis(1));
        assertThat(HoldfastLockProvider.atLeastOneMilli(MINUTE)).isEqualTo(MINUTE);
    }

    /** A lock is extended while it is held, and not when it has been lost. */
    @Test
    void extend() {
        SimpleLock lock = provider.lock(task("extended", Duration.ofSeconds(20), Duration.ZERO))
                .orElseThrow();
        Optional<SimpleLock> extended = lock.extend(MINUTE, Duration.ZERO);
        assertThatIllegalStateException().isThrownBy(lock::unlock);
        assertThat((Long) redis.command("PTTL", "shedlock:extended")).isGreaterThan(20_000);
        redis.command("DEL", "shedlock:extended");
        assertThat(extended.orElseThrow().extend(MINUTE, Duration.ZERO)).isEmpty();
    }

    /** A Redis that does not answer is a failure, never a lock that is busy. */
    @Test
    void failure_isNotBusy() {
        try (RedisServer server = RedisServer.start();
                Holdfast client = hastyClientOf(server)) {
            server.kill();
            assertThatThrownBy(() -> new HoldfastLockProvider(client).lock(task("failed", MINUTE, Duration.ZERO)))
                    .isInstanceOf(LockException.class)
                    .hasCauseInstanceOf(dev.holdfast.LockException.class);
        }
    }

    /** So is an extension without an answer; a release without one is not, since the task has run under its lock. */
    @Test
    void failure_ofHeldLock() {
        try (RedisServer server = RedisServer.start();
                Holdfast client = hastyClientOf(server)) {
            HoldfastLockProvider failing = new HoldfastLockProvider(client);
            SimpleLock released =
                    failing.lock(task("released", MINUTE, Duration.ZERO)).orElseThrow();
            SimpleLock extended =
                    failing.lock(task("extended", MINUTE, Duration.ZERO)).orElseThrow();
            server.kill();
            released.unlock();
            assertThat(client.stats().releasesUnconfirmed()).isEqualTo(1);
            assertThatThrownBy(() -> extended.extend(MINUTE, Duration.ZERO)).isInstanceOf(LockException.class);
        }
    }

    /** An interrupt is a failure too, and the flag stays set. */
    @Test
    void interrupt_isNotBusy() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> provider.lock(task("interrupted", MINUTE, Duration.ZERO)))
                .isInstanceOf(LockException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** Of many attempts to run a task at once, by several threads of two instances, one at a time runs it. */
    @Test
    void executor_oneAtATime() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            LockingTaskExecutor executor = new DefaultLockingTaskExecutor(i % 2 == 0 ? provider : rival);
            callers.add(CompletableFuture.runAsync(() -> {
                for (int turn = 0; turn < 100; turn++) {
                    executor.executeWithLock(
                            (Runnable) () -> {
                                assertThat(running.incrementAndGet()).isEqualTo(1);
                                runs.incrementAndGet();
                                running.decrementAndGet();
                            },
                            task("contended", MINUTE, Duration.ZERO));
                }
            }));
        }
        callers.forEach(CompletableFuture::join);
        assertThat(runs.get()).isPositive();
    }
}
