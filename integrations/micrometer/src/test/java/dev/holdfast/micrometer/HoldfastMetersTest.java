package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockEvent;
import dev.holdfast.LockException;
import dev.holdfast.LockType;
import dev.holdfast.LossReason;
import dev.holdfast.WaitOutcome;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The meters of a client that uses a real Redis. */
final class HoldfastMetersTest {
    private static final RedisServer redis = RedisServer.start();

    /** A lease that outlasts the test and is not renewed: a renewal would be one more event. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final Duration LONG = Duration.ofSeconds(30);

    /** The number of threads that fill the queue. */
    private static final int FILLING = 8;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HoldfastMeters meters = HoldfastMeters.create();
    private final Holdfast holdfast =
            Holdfast.builder().redisUri(redis.uri()).addListener(meters).build();

    @AfterEach
    void closeClient() {
        holdfast.close();
    }

    @AfterAll
    static void closeServer() {
        redis.close();
    }

    private void bind() {
        meters.watch(holdfast);
        meters.bindTo(registry);
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    /** A hold whose release is unconfirmed has ended, and is counted. */
    @Test
    void releaseUnconfirmed_endsTheHold() {
        bind();
        meters.acquired(new LockEvent.Acquired("client", "orders", LockType.PLAIN, 1, Duration.ZERO));
        assertThat(registry.get("holdfast.hold.active").longTaskTimer().activeTasks())
                .isEqualTo(1);
        meters.releaseUnconfirmed(new LockEvent.ReleaseUnconfirmed(
                "client", "orders", LockType.PLAIN, 1, Duration.ofSeconds(2), new LockException("no reply", null)));
        assertThat(registry.get("holdfast.hold.active").longTaskTimer().activeTasks())
                .isZero();
        assertThat(registry.get("holdfast.hold").timer().count()).isEqualTo(1);
        assertThat(counter("holdfast.releases.unconfirmed")).isZero();
    }

    /** Holds are counted and timed, and those at present have a gauge and a timer of their own. */
    @Test
    void holds() {
        bind();
        Lease lease = holdfast.getLock("metered").acquire();
        assertThat(registry.get("holdfast.holds").gauge().value()).isEqualTo(1);
        assertThat(registry.get("holdfast.connected").gauge().value()).isEqualTo(1);
        Eventually.await()
                .until(() ->
                        registry.get("holdfast.hold.active").longTaskTimer().activeTasks() == 1);
        lease.close();
        Eventually.await().until(() -> registry.get("holdfast.hold").timer().count() == 1);
        Eventually.await()
                .until(() ->
                        registry.get("holdfast.hold.active").longTaskTimer().activeTasks() == 0);
        assertThat(counter("holdfast.acquired")).isEqualTo(1);
        assertThat(registry.get("holdfast.holds").gauge().value()).isZero();
    }

    /** Waits and holds are timed by the type of the lock, of which an owner may have two: it reads, and writes. */
    @Test
    void types_areApart() {
        bind();
        DistributedReadWriteLock lock = holdfast.getReadWriteLock("typed");
        lock.writeLock().runLocked(() -> lock.readLock().runLocked(() -> {
            await().until(() -> active("write") == 1 && active("read") == 1);
            assertThat(active("plain")).isZero();
        }));
        await().until(() -> ended("write") == 1 && ended("read") == 1);
        await().until(() -> active("write") == 0 && active("read") == 0);
        assertThat(ended("plain")).isZero();
        meters.waited(
                new LockEvent.Waited("client", "typed", LockType.READ, 1, Duration.ofMillis(1), WaitOutcome.GRANTED));
        assertThat(registry.get("holdfast.wait")
                        .tags("type", "read", "outcome", "granted")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    private int active(String type) {
        return registry.find("holdfast.hold.active").tag("type", type).longTaskTimers().stream()
                .mapToInt(LongTaskTimer::activeTasks)
                .sum();
    }

    private long ended(String type) {
        return registry.find("holdfast.hold").tag("type", type).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    /** Waits are timed by their outcome; an attempt that does not wait is counted. */
    @Test
    void waits() throws InterruptedException {
        bind();
        DistributedLock lock = holdfast.getLock("waited for");
        try (Lease held = lock.acquire()) {
            assertThat(lock.tryAcquire(Duration.ofSeconds(2))).isEmpty();
            assertThat(lock.tryLock()).isFalse();
            assertThat(held.isValid()).isTrue();
        }
        Eventually.await()
                .until(() -> registry.get("holdfast.wait")
                                .tag("outcome", "timed_out")
                                .timer()
                                .count()
                        == 1);
        assertThat(registry.get("holdfast.wait")
                        .tag("outcome", "timed_out")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isGreaterThanOrEqualTo(20);
        assertThat(counter("holdfast.busy")).isEqualTo(1);
    }

    /** A waiter for a condition that wakes without a signal is counted, and not as one that has woken after a minute. */
    @Test
    @SuppressWarnings("WaitNotInLoop") // what one wait does is what is counted
    void wakeUps_spurious() throws InterruptedException {
        bind();
        DistributedLock lock = holdfast.getLock("awaited");
        Thread waiter = new Thread(
                () -> lock.runLocked(() -> lock.getCondition("changed").awaitUninterruptibly()));
        waiter.start();
        Eventually.await().until(() -> redis.command("HGET", "holdfast_condition:{awaited}", "queue:changed") != null);
        if (redis.command("PUBSUB", "CHANNELS", "*{awaited}:*:signals") instanceof List<?> channels) {
            redis.command("PUBLISH", String.valueOf(channels.get(0)), "rouse");
        }
        waiter.join(LONG.toMillis());
        assertThat(waiter.isAlive()).isFalse();
        assertThat(counter("holdfast.wake.ups.spurious")).isEqualTo(1);
        assertThat(counter("holdfast.wake.ups.last.resort")).isZero();
    }

    /** A loss is counted by its reason, and ends the hold. */
    @Test
    void loss() {
        bind();
        Lease lease = holdfast.getLock("lost").acquire();
        redis.command("DEL", "lost");
        Eventually.await().until(() -> {
            try {
                lease.extend(Duration.ofMinutes(1));
                return false;
            } catch (IllegalMonitorStateException e) {
                return true;
            }
        });
        assertThat(counter("holdfast.lost", "reason", "gone")).isEqualTo(1);
        Eventually.await().until(() -> registry.get("holdfast.hold").timer().count() == 1);
    }

    /** Every value of an outcome or reason is there before the first event, as zero. */
    @Test
    void values_areRegistered() {
        bind();
        for (LossReason reason : LossReason.values()) {
            assertThat(counter("holdfast.lost", "reason", reason.name().toLowerCase(Locale.ROOT)))
                    .isZero();
        }
        assertThat(registry.find("holdfast.wait").timers()).hasSize(WaitOutcome.values().length);
        assertThat(registry.getMeters()).allSatisfy(meter -> {
            assertThat(meter.getId().getTag("lock")).isNull();
            assertThat(meter.getId().getDescription()).isNotBlank();
        });
    }

    /** A tag for locks has as many values as are allowed, and then one for all others. */
    @Test
    void lockTag_isLimited() {
        HoldfastMeters tagged = HoldfastMeters.create()
                .withTags(Tag.of("client", "shop"))
                .withLockTag(name -> name.substring(0, name.indexOf(':')));
        tagged.bindTo(registry);
        for (int i = 0; i < 300; i++) {
            tagged.waited(new LockEvent.Waited(
                    "client", i / 2 + ":42", LockType.PLAIN, 1, Duration.ofMillis(1), WaitOutcome.GRANTED));
        }
        assertThat(registry.find("holdfast.wait").timers())
                .hasSize(LockTag.MOST_VALUES + 1)
                .allSatisfy(timer -> assertThat(timer.getId().getTag("client")).isEqualTo("shop"));
        assertThat(registry.get("holdfast.wait").tag("lock", "other").timer().count())
                .isEqualTo(100);
    }

    /** A hold whose name has no tag, since the function fails, ends all the same, in every registry; it is not counted. */
    @ParameterizedTest
    @MethodSource("failingTags")
    void lockTag_fails(UnaryOperator<String> failing) {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        HoldfastMeters tagged = HoldfastMeters.create().withLockTag(failing);
        tagged.bindTo(registry);
        tagged.bindTo(another);
        tagged.acquired(new LockEvent.Acquired("client", "orders", LockType.PLAIN, 1, Duration.ZERO));
        assertThat(activeTasks(registry)).isEqualTo(1);
        assertThatRuntimeException()
                .isThrownBy(() -> tagged.released(
                        new LockEvent.Released("client", "orders", LockType.PLAIN, 1, Duration.ofMillis(1))))
                .withMessageContaining("orders");
        assertThat(activeTasks(registry)).isZero();
        assertThat(activeTasks(another)).isZero();
        assertThat(registry.find("holdfast.hold").timers()).isEmpty();
    }

    static List<UnaryOperator<String>> failingTags() {
        return List.of(
                name -> {
                    throw new IllegalArgumentException(name);
                },
                name -> null);
    }

    /** A hold whose end was dropped, as were all events of a full queue, is active no more when the queue has been delivered. */
    @Test
    void droppedEvents_leaveNoHoldActive() throws InterruptedException {
        CountDownLatch slow = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        HoldfastMeters late = HoldfastMeters.create();
        try (Holdfast busy = Holdfast.builder()
                .redisUri(redis.uri())
                .callbackExecutor(executor)
                .addListener(late)
                .build()) {
            late.watch(busy);
            late.bindTo(registry);
            Future<Boolean> delay = executor.submit(() -> slow.await(5, TimeUnit.MINUTES));
            List<Lease> ended = IntStream.range(0, 10)
                    .mapToObj(i -> busy.getLock("ended-" + i).acquire(LEASE))
                    .toList();
            fill(busy, (MissedEvents.QUEUE - 10) / 2);
            assertThat(busy.stats().droppedEvents()).isZero();
            ended.forEach(Lease::close);
            assertThat(busy.stats().droppedEvents()).isEqualTo(10);
            slow.countDown();
            assertThat(delay).succeedsWithin(LONG).isEqualTo(true);
            await().atMost(LONG)
                    .until(() -> registry.get("holdfast.hold").timer().count() == (MissedEvents.QUEUE - 10) / 2);
            Lease present = busy.getLock("present").acquire(LEASE);
            Eventually.await().until(() -> activeTasks(registry) == 1);
            present.close();
            Eventually.await().until(() -> activeTasks(registry) == 0);
        } finally {
            executor.shutdown();
        }
    }

    /** Acquires and releases locks so many times, which are two events each, on several threads as this is faster. */
    private static void fill(Holdfast client, int holds) throws InterruptedException {
        AtomicInteger left = new AtomicInteger(holds);
        ExecutorService threads = Executors.newFixedThreadPool(FILLING);
        try {
            List<Callable<Boolean>> tasks = IntStream.range(0, FILLING)
                    .<Callable<Boolean>>mapToObj(i -> () -> {
                        while (left.getAndDecrement() > 0) {
                            client.getLock("filling-" + i).acquire(LEASE).close();
                        }
                        return true;
                    })
                    .toList();
            assertThat(threads.invokeAll(tasks))
                    .allSatisfy(task -> assertThat(task.get()).isTrue());
        } finally {
            threads.shutdown();
        }
    }

    private static int activeTasks(MeterRegistry registry) {
        return registry.get("holdfast.hold.active").longTaskTimer().activeTasks();
    }

    /** Closing removes the meters from every registry, and releases the client. */
    @Test
    void close_removes() {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        bind();
        meters.bindTo(another);
        holdfast.getLock("closed").acquire().close();
        Eventually.await().until(() -> another.get("holdfast.hold").timer().count() == 1);
        meters.close();
        assertThat(registry.getMeters()).extracting(Meter::getId).isEmpty();
        assertThat(another.getMeters()).isEmpty();
        assertThat(meters.isConnected()).isFalse();
    }

    /** Meters that watch no client yet show no connection. */
    @Test
    void connected_needsClient() {
        meters.bindTo(registry);
        assertThat(registry.get("holdfast.connected").gauge().value()).isZero();
        meters.watch(holdfast);
        assertThat(registry.get("holdfast.connected").gauge().value()).isEqualTo(1);
    }

    /** Meters belong to one client. */
    @Test
    void watch_once() {
        meters.watch(holdfast);
        meters.watch(holdfast);
        try (Holdfast other = Holdfast.connect(redis.uri())) {
            assertThatIllegalStateException().isThrownBy(() -> meters.watch(other));
        }
    }
}
