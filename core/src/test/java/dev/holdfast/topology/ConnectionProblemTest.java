package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.COMMAND_TIMEOUT;
import static dev.holdfast.FaultyRedis.LONG;
import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ConnectionEvent;
import dev.holdfast.ConnectionEvents;
import dev.holdfast.ConnectionProblem;
import dev.holdfast.ConnectionRole;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Why there is no connection is said by the client, its exceptions and its events, with no password in any of them. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ConnectionProblemTest {
    private static final String SECRET = "the-first-secret";
    private static final String NEXT_SECRET = "the-next-secret";

    private final ConnectionEvents events = new ConnectionEvents();

    private HoldfastBuilder builder() {
        return Holdfast.builder()
                .watchdogTimeout(LONG)
                .commandTimeout(TIMEOUT)
                .reconnectDelay(COMMAND_TIMEOUT)
                .addListener(events);
    }

    private static void assertConnected(Holdfast client) {
        eventually(client::isConnected);
        eventually(() -> client.connectionProblems().isEmpty());
        client.getLock("orders:42").acquire().close();
    }

    /** The reason is named everywhere, once it is known: at first the connection is only lost. */
    private void assertSaid(Holdfast client, String server, String reason, ConnectionRole role) {
        Instant begin = Instant.now();
        eventually(() -> assertThat(client.connectionProblems()).singleElement().satisfies(problem -> {
            assertThat(problem.reason()).contains("cannot reconnect to Redis at " + server, reason);
            assertThat(problem.server()).isEqualTo(server);
            assertThat(problem.since()).isBetween(begin.minus(TIMEOUT), Instant.now());
        }));
        eventually(() -> assertThat(events.all())
                .filteredOn(event -> event.role() == role)
                .filteredOn(ConnectionEvent.Disconnected.class::isInstance)
                .anySatisfy(event -> assertThat(event.toString()).contains(reason)));
        assertThat(events.all() + client.connectionProblems().toString()).doesNotContain(SECRET, NEXT_SECRET);
    }

    private static void assertThrown(Holdfast client, String reason) {
        assertThatThrownBy(() -> client.getLock("orders:42").tryLock(COMMAND_TIMEOUT))
                .isInstanceOf(LockException.class)
                .hasMessageContaining(reason)
                .message()
                .doesNotContain(SECRET, NEXT_SECRET);
    }

    private static void setPassword(RedisServer server, String password) {
        server.command("ACL", "SETUSER", "app", "reset", "on", ">" + password, "~*", "&*", "+@all");
    }

    private static void cut(RedisServer server) {
        server.command("CLIENT", "KILL", "USER", "app");
    }

    /** A password that was changed on the server: the client is refused when it reconnects. */
    @Test
    void password_isChanged() {
        try (RedisServer server = RedisServer.builder().start()) {
            setPassword(server, SECRET);
            String uri = server.uri().replace("redis://", "redis://app:" + SECRET + "@");
            try (Holdfast client = builder().redisUri(uri).build()) {
                assertConnected(client);
                setPassword(server, NEXT_SECRET);
                cut(server);
                assertSaid(client, "127.0.0.1:" + server.port(), "WRONGPASS", ConnectionRole.COMMANDS);
                assertThrown(client, "WRONGPASS");
                setPassword(server, SECRET);
                assertConnected(client);
            }
        }
    }

    /** Credentials that the application provides are asked for again at each connect, so that they can be changed. */
    @Test
    void password_isProvided() {
        try (RedisServer server = RedisServer.builder().start()) {
            setPassword(server, SECRET);
            AtomicReference<String> password = new AtomicReference<>(SECRET);
            RedisURI uri = RedisURI.builder()
                    .withHost(server.host())
                    .withPort(server.port())
                    .withAuthentication(
                            RedisCredentialsProvider.from(() -> RedisCredentials.just("app", password.get())))
                    .build();
            try (Holdfast client = builder().redisUri(uri).build()) {
                assertConnected(client);
                setPassword(server, NEXT_SECRET);
                cut(server);
                assertSaid(client, "127.0.0.1:" + server.port(), "WRONGPASS", ConnectionRole.SUBSCRIPTIONS);
                password.set(NEXT_SECRET);
                assertConnected(client);
            }
        }
    }

    /** A password that the server requires, and the client does not have. */
    @Test
    void password_isRequired() {
        try (RedisServer server = RedisServer.builder().start();
                Admin admin = new Admin(server);
                Holdfast client = builder().redisUri(server.uri()).build()) {
            assertConnected(client);
            admin.commands().configSet("requirepass", SECRET);
            admin.cutOthers();
            assertSaid(client, "127.0.0.1:" + server.port(), "NOAUTH", ConnectionRole.COMMANDS);
            assertThrown(client, "NOAUTH");
            admin.commands().configSet("requirepass", "");
            assertConnected(client);
        }
    }

    /** A server that has too many clients accepts one connection of two. */
    @Test
    void server_hasTooManyClients() {
        try (RedisServer server = RedisServer.builder().start();
                Admin admin = new Admin(server);
                Holdfast client = builder().redisUri(server.uri()).build()) {
            assertConnected(client);
            admin.commands().configSet("maxclients", "1");
            admin.cutOthers();
            assertSaid(client, "127.0.0.1:" + server.port(), "max number of clients", ConnectionRole.SUBSCRIPTIONS);
            assertThrown(client, "max number of clients");
            admin.commands().configSet("maxclients", "100");
            assertConnected(client);
        }
    }

    /** A connection that stays open when others are refused. */
    private static final class Admin implements AutoCloseable {
        private final RedisClient client;
        private final RedisCommands<String, String> commands;

        Admin(RedisServer server) {
            client = RedisClient.create(server.uri());
            commands = client.connect().sync();
        }

        RedisCommands<String, String> commands() {
            return commands;
        }

        void cutOthers() {
            commands.clientKill(KillArgs.Builder.skipme());
        }

        @Override
        public void close() {
            client.shutdown();
        }
    }

    /** Of two masters one is gone: that one alone is a problem. */
    @Test
    void cluster_oneMasterIsGone() {
        try (RedisCluster cluster = RedisCluster.builder()
                        .masters(3)
                        .replicasPerMaster(0)
                        .config("cluster-require-full-coverage", "no")
                        .start();
                Holdfast client = builder().redisUri(cluster.uris().get(0)).build()) {
            for (ClusterNode master : cluster.masters()) {
                client.getLock(cluster.keyAt(master)).acquire().close();
            }
            ClusterNode gone = cluster.masters().get(1);
            String lock = cluster.keyAt(gone);
            gone.server().kill();
            String server = "127.0.0.1:" + gone.server().port();
            eventually(() -> assertThat(client.connectionProblems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.reason()).contains(server, "refused")));
            assertThatThrownBy(() -> client.getLock(lock).tryLock(COMMAND_TIMEOUT))
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(server, "refused");
            gone.server().restart();
            eventually(() -> client.connectionProblems().isEmpty());
        }
    }

    /** The master that the sentinels still name cannot be reached. */
    @Test
    void sentinels_masterIsGone() {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                        .proxied()
                        .replicas(1)
                        .downAfter(LONG)
                        .start();
                Holdfast client = builder().redisUri(sentinels.uri()).build()) {
            client.getLock("orders:42").acquire().close();
            sentinels.master().proxy().refuse();
            sentinels.master().proxy().cutRst();
            String server = "127.0.0.1:" + sentinels.master().proxy().port();
            eventually(() -> assertThat(client.connectionProblems())
                    .singleElement()
                    .satisfies(problem -> assertThat(problem.reason()).contains(server, "refused")));
            assertThrown(client, "refused");
            sentinels.master().proxy().accept();
            eventually(() -> client.connectionProblems().isEmpty());
        }
    }

    /** Before the first connect, the problem is that of the last attempt, and its end is published as that of an outage. */
    @Test
    void background_untilConnected() {
        try (RedisServer server = RedisServer.builder().start()) {
            setPassword(server, NEXT_SECRET);
            String uri = server.uri().replace("redis://", "redis://app:" + SECRET + "@");
            try (Holdfast client = builder().redisUri(uri).connectInBackground().build()) {
                eventually(() -> assertThat(client.connectionProblems())
                        .singleElement()
                        .extracting(ConnectionProblem::reason)
                        .asString()
                        .contains("WRONGPASS"));
                eventually(() -> assertThat(events.all()).hasSize(2));
                setPassword(server, SECRET);
                assertConnected(client);
                eventually(() -> assertThat(events.all()).hasSize(4));
                assertThat(events.all().subList(2, 4)).allMatch(ConnectionEvent.Reconnected.class::isInstance);
                assertThat(client.stats().reconnects()).isEqualTo(2);
            }
        }
    }
}
