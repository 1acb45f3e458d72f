package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.TIMEOUT;
import static dev.holdfast.pubsub.Connected.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An unreliable network: whatever happens to the connection, a wanted channel is received again, and no waiter misses
 * it.
 */
@Tag("driver")
class ReconnectTest {
    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    /** Messages are lost during a reconnect, so all waiters are woken, and receive messages again afterwards. */
    @ParameterizedTest
    @EnumSource
    void killed_wakesAll_andReceivesAgain(ProtocolVersion protocol) {
        try (Connected connected = Connected.to(server, protocol)) {
            Subscription subscription = connected.confirmed("a");
            List<Waiter> line = List.of(subscription.acquire(), subscription.acquire());

            server.command("CLIENT", "KILL", "TYPE", "pubsub");

            for (Waiter waiter : line) {
                assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
            }
            assertThat(connected.subscriptions().epoch()).isEqualTo(2);
            Waiter next = subscription.acquire();
            assertThat(server.command("PUBLISH", "a", "0")).isEqualTo(1L);
            assertThat(get(next)).isEqualTo(Wakeup.PERMIT);
        }
    }

    /**
     * A caller that has made its attempt, and does not wait yet when the connection is lost and replaced, is woken by
     * its wait.
     */
    @Test
    void killed_betweenLookAndWait_isNotMissed() {
        try (Connected connected = Connected.to(server)) {
            Subscription subscription = connected.confirmed("a");

            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().atMost(TIMEOUT).until(() -> connected.subscriptions().epoch() == 2);
            get(subscription.confirmed());

            assertThat(subscription.acquire()).isCompletedWithValue(Wakeup.PERMIT);
        }
    }

    /** While the server is down a subscription is accepted, and it is confirmed once the server is back. */
    @Test
    void serverDown_subscriptionsWaitForIt() {
        try (Connected connected = Connected.to(server)) {
            Subscription before = connected.confirmed("before");
            Waiter waiter = before.acquire();
            server.kill();
            await().atMost(TIMEOUT).until(() -> !connected.subscriptions().isConnected());

            Subscription during = connected.subscriptions().subscribe("during");
            assertThat(during.confirmed().toCompletableFuture()).isNotDone();
            server.restart();

            get(during.confirmed());
            assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
            assertThat(server.channels()).containsExactly("before", "during");
        }
    }

    /** A server that accepts everything and replies nothing is detected by its silence, and waited for. */
    @Test
    void serverStopped_isNoticed() {
        try (Connected connected = Connected.to(server)) {
            Waiter waiter = connected.confirmed("a").acquire();
            server.pause();
            try {
                await().atMost(TIMEOUT).until(() -> !connected.subscriptions().isConnected());
            } finally {
                server.resume();
            }

            assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
        }
    }

    /** A connection that is dead without a signal is replaced, and its waiters are woken. */
    @ParameterizedTest
    @EnumSource
    void blackHole_isNoticed(ProtocolVersion protocol) {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server);
                Connected connected = Connected.to(RedisURI.create(proxy.uri()), protocol, Connected.HASTY)) {
            Waiter waiter = connected.confirmed("a").acquire();

            proxy.matching(connection -> true).blackHole();

            assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
            assertThat(connected.subscriptions().epoch()).isEqualTo(2);
        }
    }

    /** So is one that dies while a subscription is in flight and there is no waiter yet. */
    @Test
    void blackHole_whileSubscribing_isNoticed() {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server);
                Connected connected =
                        Connected.to(RedisURI.create(proxy.uri()), ProtocolVersion.RESP3, Connected.HASTY)) {
            proxy.matching(connection -> true).blackHole();

            get(connected.subscriptions().subscribe("a").confirmed());

            assertThat(connected.subscriptions().epoch()).isEqualTo(2);
        }
    }
}
