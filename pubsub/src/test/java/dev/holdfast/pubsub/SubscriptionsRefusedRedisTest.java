package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.TIMEOUT;
import static dev.holdfast.pubsub.Connected.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Refusals by a server: the error reaches the channel it is about, and no other. On both versions of the protocol. */
@Tag("driver")
class SubscriptionsRefusedRedisTest {
    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    /** A refused channel fails with the server's error; those before and after it are confirmed individually. */
    @ParameterizedTest
    @EnumSource
    void refused_failsOnlyThatChannel(ProtocolVersion protocol) {
        try (Connected connected = restricted(protocol)) {
            Subscription before = connected.subscriptions().subscribe("ok:1");
            Subscription refused = connected.subscriptions().subscribe("secret");
            Subscription after = connected.subscriptions().subscribe("ok:2");

            assertThatThrownBy(() -> get(refused.confirmed()))
                    .hasCauseInstanceOf(SubscriptionRefusedException.class)
                    .hasMessageContaining("secret")
                    .hasMessageContaining("NOPERM");
            get(before.confirmed());
            get(after.confirmed());
            assertThat(server.channels()).containsExactly("ok:1", "ok:2");
        }
    }

    /** A refused channel does not affect the subscriptions of the others on the next connection. */
    @ParameterizedTest
    @EnumSource
    void refused_afterReconnect_stillOnlyThatChannel(ProtocolVersion protocol) {
        try (Connected connected = restricted(protocol)) {
            Subscription once = connected.confirmed("ok:once");
            Subscription other = connected.confirmed("ok:other");
            Waiter waiter = other.acquire();

            // This ends the connection, since it has a subscription that is no longer allowed.
            server.command("ACL", "SETUSER", "narrow", "resetchannels", "&ok:other");

            assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
            assertThatThrownBy(() -> get(once.confirmed())).hasCauseInstanceOf(SubscriptionRefusedException.class);
            Waiter next = other.acquire();
            server.command("PUBLISH", "ok:other", "0");
            assertThat(get(next)).isEqualTo(Wakeup.PERMIT);
        }
    }

    /** A channel that was refused before is refused again after a reconnect, and fails again. */
    @ParameterizedTest
    @EnumSource
    void refused_afterReconnect_failsAgain(ProtocolVersion protocol) {
        try (Connected connected = restricted(protocol)) {
            connected.confirmed("ok:1");
            connected.confirmed("ok:2");
            Subscription refused = connected.subscriptions().subscribe("secret");
            assertThatThrownBy(() -> get(refused.confirmed())).hasCauseInstanceOf(SubscriptionRefusedException.class);

            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().atMost(TIMEOUT).until(() -> connected.subscriptions().epoch() == 2);

            assertThatThrownBy(() -> get(refused.confirmed())).hasCauseInstanceOf(SubscriptionRefusedException.class);
        }
    }

    private Connected restricted(ProtocolVersion protocol) {
        server.command("ACL", "SETUSER", "narrow", "on", ">pw", "+@all", "~*", "resetchannels", "&ok:*");
        RedisURI uri = RedisURI.builder()
                .withHost(server.host())
                .withPort(server.port())
                .withAuthentication("narrow", "pw")
                .build();
        return Connected.to(uri, protocol, Connected.HASTY);
    }

    /** An UNSUBSCRIBE that is refused neither keeps the channel for ever nor prevents a new subscription. */
    @ParameterizedTest
    @EnumSource
    void unsubscribeRefused_countsAsEnded(ProtocolVersion protocol) {
        server.command("ACL", "SETUSER", "narrow", "on", ">pw", "+@all", "-unsubscribe", "~*", "allchannels");
        RedisURI uri = RedisURI.create("redis://narrow:pw@" + server.host() + ":" + server.port());
        try (Connected connected = Connected.to(uri, protocol, Connected.HASTY)) {
            connected.confirmed("a").close();
            await().atMost(TIMEOUT).until(() -> connected.subscriptions().channels() == 0);

            Waiter waiter = connected.confirmed("a").acquire();
            server.command("PUBLISH", "a", "0");
            assertThat(get(waiter)).isEqualTo(Wakeup.PERMIT);
        }
    }
}
