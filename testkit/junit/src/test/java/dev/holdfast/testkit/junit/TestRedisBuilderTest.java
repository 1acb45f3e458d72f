package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockHolder;
import dev.holdfast.LossReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the builder sets, and what is left of a start that fails. */
final class TestRedisBuilderTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    /** The renewal that reveals the loss is due by the clients' own watchdog timeout, be it shorter or longer. */
    @ParameterizedTest
    @ValueSource(ints = {9, 90})
    void watchdogTimeout_ofTheBuilder(int seconds) {
        try (TestRedis other =
                TestRedis.builder().watchdogTimeout(Duration.ofSeconds(seconds)).start()) {
            Lease lease = other.client().getLock("orders").acquire();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(seconds / 2), Duration.ofSeconds(seconds));
            other.loseLease(lease);
            assertThat(lease.lost().toCompletableFuture()).succeedsWithin(SOON);
        }
    }

    /** Each client has the settings that were set last. */
    @Test
    void settings_ofEachClient() {
        try (TestRedis shop = TestRedis.builder()
                .settings(client -> client.label("till").keyPrefix("lost:"))
                .settings(client -> client.label("desk"))
                .start()) {
            for (Holdfast client : List.of(shop.client(), shop.connect())) {
                Lease lease = client.getLock("orders").acquire();
                assertThat(client.getLock("orders").inspect().holder().flatMap(LockHolder::label))
                        .hasValue("desk");
                assertThat(shop.server().keys()).contains("orders");
                lease.close();
            }
        }
    }

    /** What the methods of the builder set is what the other owner and the clock rely on: no further setting replaces it. */
    @Test
    void settings_keepThoseOfTheBuilder() {
        try (TestRedis shop = TestRedis.builder()
                .settings(client ->
                        new TestClock().applyTo(client.keyPrefix("lost:").watchdogTimeout(Duration.ofSeconds(9))))
                .keyPrefix("shop:")
                .watchdogTimeout(Duration.ofSeconds(60))
                .start()) {
            Lease lease = shop.client().getLock("orders").acquire();
            assertThat(shop.server().keys()).contains("shop:orders");
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(60));
            shop.loseLease(lease);
            assertThat(lease.lost().toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.GONE));
        }
    }

    /** A setting that is absent is refused where it is given. */
    @Test
    @SuppressWarnings("NullAway")
    void builder_null() {
        TestRedisBuilder builder = TestRedis.builder();
        assertThatNullPointerException()
                .isThrownBy(() -> builder.keyPrefix(null))
                .withMessageContaining("prefix");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.watchdogTimeout(null))
                .withMessageContaining("timeout");
        assertThatNullPointerException()
                .isThrownBy(() -> builder.settings(null))
                .withMessageContaining("settings");
    }

    /** A client that cannot be built leaves no server behind, no network and no other owner, whatever is thrown. */
    @ParameterizedTest
    @MethodSource("failures")
    void start_failed(Throwable failure) {
        Set<ProcessHandle> servers = children();
        Set<Thread> threads = threads();
        assertThatThrownBy(() ->
                        TestRedis.builder().settings(client -> fail(failure)).start())
                .isSameAs(failure);
        assertThat(servers).containsAll(children());
        await().atMost(SOON).until(() -> threads.containsAll(threads()));
    }

    static List<Throwable> failures() {
        return List.of(new UnsupportedOperationException(), new AssertionError());
    }

    private static HoldfastBuilder fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).collect(Collectors.toSet());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast"))
                .collect(Collectors.toSet());
    }
}
