package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights of a Redis user that {@code docs/configuration.md} names for one server. */
@Tag("topology")
@Tag("driver")
class ServerRightsTest {
    private static final String NAME = "orders:42";

    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(server);

    /** {@return settings for a client with these rights alone, and a label, which is the name of its connections} */
    private HoldfastBuilder settings() {
        server.setUser("locks", "secret", DocumentedRights.ofAll().toArray(String[]::new));
        return Holdfast.builder()
                .redisUri(proxy.uri().replace("redis://", "redis://locks:secret@"))
                .label("orders")
                .reconnectDelay(Duration.ofMillis(50));
    }

    /** Also not after a reconnect, when more is checked: operators watch the log of refusals. */
    @Test
    void enough_noChannelIsRefused() {
        assertNoChannelIsRefused(settings(), NAME);
    }

    @Test
    void enough_withAPrefix_noChannelIsRefused() {
        assertNoChannelIsRefused(settings().keyPrefix("orders:"), "42");
    }

    private void assertNoChannelIsRefused(HoldfastBuilder settings, String name) {
        try (Holdfast client = settings.build();
                Holdfast rival = settings.build()) {
            for (int i = 0; i < 2; i++) {
                Lease held = client.getFencedLock(name).acquire();
                CompletableFuture<Lease> waiting = rival.getFencedLock(name).acquireAsync();
                eventually(() -> rival.stats().waiters() == 1);
                held.close();
                get(waiting).close();
                long before = server.clients().size();
                proxy.cutRst();
                eventually(() -> client.isConnected() && rival.isConnected());
                eventually(() -> server.clients().size() == before);
            }
        }
        assertThat(String.valueOf(server.command("ACL", "LOG"))).doesNotContain("reason, channel");
    }
}
