package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The gauges of a semaphore. */
final class SemaphoreMetersTest {
    private static final RedisServer redis = RedisServer.start();
    private static final Duration OFTEN = Duration.ofMillis(20);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterAll
    static void closeServer() {
        redis.close();
    }

    private double gauge(String name) {
        return registry.get("holdfast.semaphore." + name)
                .tag("semaphore", "metered")
                .gauge()
                .value();
    }

    /** A reading is processed by the thread that has begun it, if its reply comes at once. */
    private void awaitValues(double... heldAndLimitAndInLine) {
        Eventually.await()
                .until(() -> Arrays.equals(
                        heldAndLimitAndInLine, new double[] {gauge("held"), gauge("limit"), gauge("in.line")}));
    }

    /** They show the permits and the line of all clients, as they change; and the limit that requests name. */
    @Test
    void values_areThoseOfAllClients() {
        try (Holdfast holdfast = Holdfast.connect(redis.uri());
                Holdfast other = Holdfast.connect(redis.uri());
                SemaphoreMeters meters =
                        SemaphoreMeters.of(holdfast.getSemaphore("metered", 3)).withInterval(OFTEN)) {
            meters.bindTo(registry);
            awaitValues(0, 3, 0);
            Permits two = other.getSemaphore("metered", 4).acquire(2);
            awaitValues(2, 4, 0);
            CompletableFuture<Permits> waiting =
                    holdfast.getSemaphore("metered", 3).acquireAsync(3);
            awaitValues(2, 3, 1);
            two.close();
            awaitValues(3, 3, 0);
            waiting.join().close();
            awaitValues(0, 3, 0);
        }
    }

    /** Neither the binding nor a scrape waits for Redis; what is not known is no number, also after it was known. */
    @Test
    void unknown_isNoNumber() throws InterruptedException {
        BlockingQueue<CompletableFuture<SemaphoreInfo>> readings = new LinkedBlockingQueue<>();
        try (SemaphoreMeters meters = SemaphoreMeters.of(readBy(readings)).withInterval(OFTEN)) {
            meters.bindTo(registry);
            assertThat(gauge("held")).isNaN();
            next(readings).complete(SemaphoreInfo.of("metered", OptionalInt.of(2), List.of(), List.of()));
            awaitValues(0, 2, 0);
            next(readings).completeExceptionally(new LockException("no reply", null));
            awaitValues(Double.NaN, Double.NaN, Double.NaN);
            next(readings).complete(SemaphoreInfo.of("metered", OptionalInt.empty(), List.of(), List.of()));
            awaitValues(0, 7, 0);
        }
    }

    /** Several registries share a reading, and closing ends it and removes the gauges from all of them. */
    @Test
    void close_endsReading() throws InterruptedException {
        SimpleMeterRegistry another = new SimpleMeterRegistry();
        BlockingQueue<CompletableFuture<SemaphoreInfo>> readings = new LinkedBlockingQueue<>();
        SemaphoreMeters meters = SemaphoreMeters.of(readBy(readings))
                .withTags(Tag.of("client", "shop"))
                .withInterval(OFTEN);
        meters.bindTo(registry);
        meters.bindTo(another);
        assertThat(another.getMeters())
                .hasSize(3)
                .allSatisfy(meter -> assertThat(meter.getId().getTag("client")).isEqualTo("shop"));
        CompletableFuture<SemaphoreInfo> only = next(readings);
        assertThat(readings).isEmpty();
        meters.close();
        only.complete(SemaphoreInfo.of("metered", OptionalInt.of(2), List.of(), List.of()));
        assertThat(readings.poll(10 * OFTEN.toMillis(), TimeUnit.MILLISECONDS)).isNull();
        assertThat(registry.getMeters()).isEmpty();
        assertThat(another.getMeters()).isEmpty();
    }

    private static CompletableFuture<SemaphoreInfo> next(BlockingQueue<CompletableFuture<SemaphoreInfo>> readings)
            throws InterruptedException {
        @Nullable CompletableFuture<SemaphoreInfo> next = readings.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("the next reading").isNotNull();
        return next;
    }

    /** {@return a semaphore of which each reading is one of these, which the test completes} */
    private static DistributedSemaphore readBy(BlockingQueue<CompletableFuture<SemaphoreInfo>> readings) {
        return (DistributedSemaphore) Proxy.newProxyInstance(
                SemaphoreMetersTest.class.getClassLoader(),
                new Class<?>[] {DistributedSemaphore.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "name" -> "metered";
                    case "permits" -> 7;
                    case "inspectAsync" -> {
                        CompletableFuture<SemaphoreInfo> reading = new CompletableFuture<>();
                        readings.add(reading);
                        yield reading;
                    }
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
