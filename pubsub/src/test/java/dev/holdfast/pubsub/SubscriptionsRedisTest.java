package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.TIMEOUT;
import static dev.holdfast.pubsub.Connected.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reliable network: messages arrive. On both versions of the protocol where the driver treats them differently. */
@Tag("driver")
class SubscriptionsRedisTest {
    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    /** A message reaches the waiter of its channel, whatever the characters and length of the name. */
    @ParameterizedTest
    @EnumSource
    void message_reachesItsWaiter(ProtocolVersion protocol) {
        try (Connected connected = Connected.to(server, protocol)) {
            for (String name : new String[] {"plain", "with spaces and {tag}", "名前 ☃ 😀", "x".repeat(64 * 1024)}) {
                Subscription subscription = connected.confirmed(name);
                Waiter waiter = subscription.acquire();

                server.command("PUBLISH", name, "0");

                assertThat(get(waiter)).isEqualTo(Wakeup.PERMIT);
            }
        }
    }

    /** The body of a message has no effect: empty, large, or looking like the protocol. */
    @ParameterizedTest
    @EnumSource
    void message_bodyDoesNotMatter(ProtocolVersion protocol) {
        try (Connected connected = Connected.to(server, protocol)) {
            Subscription subscription = connected.confirmed("a");
            for (String body : new String[] {"", "0", "subscribe", "y".repeat(1 << 20)}) {
                Waiter waiter = subscription.acquire();
                server.command("PUBLISH", "a", body);
                assertThat(get(waiter)).isEqualTo(Wakeup.PERMIT);
            }
        }
    }

    /**
     * A message between the confirmation and the wait completes the wait: no message is missed between attempt and
     * wait.
     */
    @Test
    void message_betweenConfirmationAndWait_isNotLost() {
        try (Connected connected = Connected.to(server)) {
            Subscription subscription = connected.confirmed("a");
            Subscription marker = connected.confirmed("marker");
            Waiter marked = marker.acquire();

            server.command("PUBLISH", "a", "0");
            server.command("PUBLISH", "marker", "0");
            get(marked);

            assertThat(subscription.acquire()).isCompletedWithValue(Wakeup.PERMIT);
        }
    }

    /** From the moment of its confirmation a subscription receives every message. */
    @Test
    void confirmed_receivesFromThenOn() {
        try (Connected connected = Connected.to(server)) {
            for (int i = 0; i < 200; i++) {
                try (Subscription subscription = connected.confirmed("channel " + i)) {
                    Waiter waiter = subscription.acquire();
                    assertThat(server.command("PUBLISH", "channel " + i, "0")).isEqualTo(1L);
                    get(waiter);
                }
            }
        }
    }

    /** A waiter is woken on the thread that reads the message, without a thread switch before its next command. */
    @Test
    void wakeup_isOnTheReceivingThread() {
        try (Connected connected = Connected.to(server)) {
            Waiter waiter = connected.confirmed("a").acquire();
            CompletableFuture<String> thread = new CompletableFuture<>();
            waiter.onWakeup(
                    (wakeup, failure) -> thread.complete(Thread.currentThread().getName()));

            server.command("PUBLISH", "a", "0");

            assertThat(get(thread)).contains("EventLoop");
        }
    }

    /** An exception of a waiter has no effect on others: the next message is received. */
    @Test
    void wakeup_thatThrows_doesNotAffectOthers() {
        try (Connected connected = Connected.to(server)) {
            Subscription subscription = connected.confirmed("a");
            subscription.acquire().onWakeup((wakeup, failure) -> {
                throw new IllegalStateException("thrown on purpose");
            });
            Waiter next = subscription.acquire();

            server.command("PUBLISH", "a", "0");
            server.command("PUBLISH", "a", "0");

            assertThat(get(next)).isEqualTo(Wakeup.PERMIT);
        }
    }

    /** The server has the subscription while it is wanted, and none once the last one is closed. */
    @ParameterizedTest
    @EnumSource
    void close_ofTheLast_endsTheSubscription(ProtocolVersion protocol) {
        try (Connected connected = Connected.to(server, protocol)) {
            Subscription first = connected.confirmed("a");
            Subscription second = connected.confirmed("a");
            assertThat(server.channels()).containsExactly("a");

            first.close();
            Waiter waiter = second.acquire();
            server.command("PUBLISH", "a", "0");
            get(waiter);

            second.close();
            connected.awaitNothingSubscribed(server);
            assertThat(connected.subscriptions().channels()).isZero();
        }
    }

    /** Pings are sent and answered on a subscribed connection, and a waiter without a message goes on waiting. */
    @ParameterizedTest
    @EnumSource
    void ping_isAnsweredWhileSubscribed(ProtocolVersion protocol) {
        try (Connected connected = Connected.to(server, protocol)) {
            Waiter waiter = connected.confirmed("a").acquire();

            // More than the limit of silence, so undetected replies would have ended the connection.
            await().atMost(TIMEOUT).until(() -> pings() > Connected.HASTY.pingsAllowed() + 2);

            assertThat(connected.subscriptions().epoch()).isEqualTo(1);
            assertThat(waiter).isNotDone();
        }
    }

    /** {@return how many pings the server has answered} */
    private int pings() {
        String stats = String.valueOf(server.command("INFO", "commandstats"));
        return stats.lines()
                .filter(line -> line.startsWith("cmdstat_ping:calls="))
                .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .findFirst()
                .orElse(0);
    }

    /** Closing fails the waiters, and closes the connection on the server. */
    @Test
    void close_endsTheConnection() {
        try (Connected connected = Connected.to(server)) {
            Waiter waiter = connected.confirmed("a").acquire();

            connected.subscriptions().close();

            assertThatThrownBy(() -> get(waiter)).hasCauseInstanceOf(SubscriptionsClosedException.class);
            assertThat(connected.subscriptions().isConnected()).isFalse();
            await().atMost(TIMEOUT).until(() -> server.clients().isEmpty());
        }
    }

    /** A connect to an unreachable server fails, within the address's timeout, and leaves nothing behind. */
    @Test
    void connect_toUnreachableServer_fails() {
        RedisURI uri = RedisURI.create(server.uri());
        server.close();

        assertThatThrownBy(() -> Connected.to(uri, ProtocolVersion.RESP3, Connected.HASTY)
                        .close())
                .hasRootCauseInstanceOf(ConnectException.class);
    }

    /** Options under which the driver would repeat a command of an earlier connection are rejected. */
    @Test
    void connect_withRepeatingOptions_isRefused() {
        assertThatThrownBy(() -> LettuceWire.requireNothingRepeated(ClientOptions.create()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reject commands while disconnected");
    }

    /** Ten thousand channels at once: all are confirmed, each is received, and all of them again after a reconnect. */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void manyChannels_onOneConnection() {
        try (Connected connected = Connected.to(server)) {
            ManyChannels many = ManyChannels.subscribe(connected.subscriptions(), 10_000);
            many.awaitConfirmed();
            assertThat(server.channels()).hasSize(10_000);
            assertThat(server.clients()).hasSize(1);

            many.acquire();
            assertThat(connected.subscriptions().waiters()).isEqualTo(10_000);
            many.publish(server);
            many.awaitWoken(Wakeup.PERMIT);

            many.acquire();
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            many.awaitWoken(Wakeup.ALL);
            assertThat(server.channels()).hasSize(10_000);

            many.close();
            connected.awaitNothingSubscribed(server);
        }
    }
}
