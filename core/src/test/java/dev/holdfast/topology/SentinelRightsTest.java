package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights that {@code docs/topologies.md} names for servers under sentinels, for sentinels, and for one server. */
@Tag("topology")
class SentinelRightsTest {
    private static final String NAME = "orders:42";

    private static final String PASSWORD = "secret";

    private static void setUser(RedisServer server, List<String> rights) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "locks", "reset", "on", ">" + PASSWORD));
        command.addAll(rights);
        server.command(command.toArray(String[]::new));
    }

    private static void addCredentials(RedisURI uri) {
        uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just("locks", PASSWORD)));
    }

    /** Two clients with these rights alone wait for each other, with tokens, before and after a planned failover. */
    @Test
    void sentinels_everythingWorks() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start()) {
            List<List<String>> besides = DocumentedRights.besides("Sentinel");
            List<String> ofServers = DocumentedRights.ofAll();
            ofServers.addAll(besides.get(0));
            for (DataNode server : sentinels.servers()) {
                setUser(server.server(), ofServers);
            }
            List<String> ofSentinels =
                    besides.stream().skip(1).flatMap(List::stream).toList();
            sentinels.sentinels().forEach(sentinel -> setUser(sentinel, ofSentinels));
            RedisURI uri = RedisURI.create(sentinels.uri());
            addCredentials(uri);
            uri.getSentinels().forEach(SentinelRightsTest::addCredentials);

            try (CapturedWarnings warnings = new CapturedWarnings()) {
                try (Holdfast client = Holdfast.builder().redisUri(uri).build();
                        Holdfast rival = Holdfast.builder().redisUri(uri).build()) {
                    long token = assertWaitForEachOther(client, rival);
                    sentinels.failover();
                    assertThat(assertWaitForEachOther(rival, client)).isGreaterThan(token);
                }
                assertNoneIsMissing(warnings);
            }
        }
    }

    /** The same at a server that is alone, and for replicated locks. */
    @Test
    void oneServer_everythingWorks() {
        try (RedisServer server = RedisServer.builder().start();
                RedisServer replica = RedisServer.builder().replicaOf(server).start()) {
            assertThat(replica.info("role")).isEqualTo("slave");
            setUser(server, DocumentedRights.ofAll());
            RedisURI uri = RedisURI.create(server.uri());
            addCredentials(uri);
            try (CapturedWarnings warnings = new CapturedWarnings()) {
                try (Holdfast client = Holdfast.builder().redisUri(uri).build();
                        Holdfast rival = Holdfast.builder().redisUri(uri).build()) {
                    assertWaitForEachOther(client, rival);
                }
                List<String> rights = DocumentedRights.ofAll();
                DocumentedRights.besides("`replicated`").forEach(rights::addAll);
                setUser(server, rights);
                try (Holdfast client = Holdfast.builder()
                        .redisUri(uri)
                        .replicated(1, Duration.ofSeconds(1))
                        .build()) {
                    client.getLock(NAME).acquire().close();
                }
                assertNoneIsMissing(warnings);
            }
        }
    }

    /** {@return the token of the last hold} */
    private static long assertWaitForEachOther(Holdfast client, Holdfast rival) {
        Lease held = client.getFencedLock(NAME).acquire();
        CompletableFuture<Lease> waiting = rival.getFencedLock(NAME).acquireAsync();
        eventually(() -> client.getLock(NAME).inspect().clientsInLine() == 1);
        held.close();
        try (Lease next = get(waiting)) {
            assertThat(next.token()).isGreaterThan(held.token());
            return next.token();
        }
    }

    private static void assertNoneIsMissing(CapturedWarnings warnings) {
        Stream<String> ours = warnings.text().lines().filter(line -> line.contains(" WARN dev.holdfast"));
        assertThat(ours).isEmpty();
    }
}
