package dev.holdfast.consumers.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the recipe for a framework promises, on a real Redis. */
@Timeout(60)
public abstract class RecipeContract {
    /** The order whose lock is held when the application is stopped. */
    protected static final String ORDER = "42";

    /** How long the work goes on once the shutdown has begun: longer than a close without a grace period takes. */
    private static final Duration REST = Duration.ofMillis(500);

    private static final String WORK = "orders:" + ORDER;
    private static final String LAST_USE = "last-use";

    /** An application that runs; closing it stops it. */
    protected interface Application extends AutoCloseable {
        /**
         * Ships the {@link #ORDER} under its lock by a bean or a route, as {@link RecipeContract#ship} does, until the shutdown
         * has begun, and a while longer. Returns when the lock is held. From then on there is also a component that {@linkplain
         * RecipeContract#leaveBusy uses the client} when it is destroyed.
         */
        void ship() throws Exception;
    }

    /** Starts the application with the setting {@code holdfast.redis-uri}. */
    protected abstract Application start(String redisUri) throws Exception;

    /** What uses the client ends before it; work that is under way releases its lock; no connection and no thread stays. */
    @Test
    void shutdown_leavesNothing() throws Exception {
        try (RedisServer redis = RedisServer.builder().start()) {
            try (Application application = start(redis.uri())) {
                application.ship();
                assertThat(redis.keys()).contains(WORK);
            }
            assertThat(redis.keys()).containsExactly(LAST_USE);
            Eventually.await().untilAsserted(() -> assertThat(redis.clients()).isEmpty());
            assertNoThread();
        }
    }

    /** The client is connected when the application starts, rather than by its first use. */
    @Test
    void unreachableRedis_failsTheStart() {
        assertThatThrownBy(() -> start("redis://127.0.0.1:1").close())
                .hasStackTraceContaining("dev.holdfast.LockException");
        assertNoThread();
    }

    /** Ships until the client is being closed, and a while longer. Returns when the work has begun. */
    protected static void ship(Consumer<Runnable> shipping, Holdfast holdfast) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture.runAsync(() -> shipping.accept(() -> {
            begun.countDown();
            while (grants(holdfast)) {
                Thread.onSpinWait();
            }
            LockSupport.parkNanos(REST.toNanos());
        }));
        begun.await();
    }

    /** {@return whether the client grants locks} Once its shutdown has begun it does not, and what is held may be released. */
    private static boolean grants(Holdfast holdfast) {
        try {
            holdfast.getLock("probe").runLocked(Thread::onSpinWait);
            return true;
        } catch (IllegalStateException | LockException e) {
            return false;
        }
    }

    /** Leaves a lock busy, which shows that the client has granted it. */
    protected static void leaveBusy(Holdfast holdfast) {
        holdfast.getLock(LAST_USE).acquire().closeAfter(Duration.ofMinutes(1));
    }

    private static void assertNoThread() {
        Eventually.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("holdfast-") || name.startsWith("lettuce-")));
    }
}
