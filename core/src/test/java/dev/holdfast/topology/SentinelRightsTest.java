package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.DistributedLock;
import dev.holdfast.DocumentedMessages;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.testkit.RedisServer;
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

/** The rights that {@code docs/configuration.md} names for servers under sentinels, for sentinels, and for one server. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class SentinelRightsTest {
    private static final String NAME = "orders:42";

    private static final String PASSWORD = "secret";

    private static void setUser(RedisServer server, List<String> rights) {
        server.setUser("locks", PASSWORD, rights.toArray(String[]::new));
    }

    private static void addCredentials(RedisURI uri) {
        uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just("locks", PASSWORD)));
    }

    private static List<String> ofServers() {
        List<String> rights = DocumentedRights.ofAll();
        rights.addAll(DocumentedRights.besides("Sentinel").get(0));
        return rights;
    }

    private static List<String> ofSentinels() {
        return DocumentedRights.besides("Sentinel").stream()
                .skip(1)
                .flatMap(List::stream)
                .toList();
    }

    /** {@return the URI of a user with these rights at all servers, and with those at all sentinels} */
    private static RedisURI uri(RedisSentinels sentinels, List<String> ofServers, List<String> ofSentinels) {
        sentinels.servers().forEach(server -> setUser(server.server(), ofServers));
        sentinels.sentinels().forEach(sentinel -> setUser(sentinel, ofSentinels));
        RedisURI uri = RedisURI.create(sentinels.uri());
        addCredentials(uri);
        uri.getSentinels().forEach(SentinelRightsTest::addCredentials);
        return uri;
    }

    private static List<String> without(List<String> rights, String... missing) {
        List<String> rest = new ArrayList<>(rights);
        assertThat(rest.removeAll(List.of(missing))).isTrue();
        return rest;
    }

    /** Two clients with these rights alone wait for each other, with tokens, before and after a planned failover. */
    @Test
    void sentinels_everythingWorks() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start()) {
            RedisURI uri = uri(sentinels, ofServers(), ofSentinels());

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

    /** A server that must not say whether it is a master is not used, and the message names the right. */
    @Test
    void roleMissing_namesIt() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(0).start()) {
            RedisURI uri = uri(sentinels, without(ofServers(), "+role"), ofSentinels());
            assertThatThrownBy(() -> Holdfast.builder().redisUri(uri).build())
                    .isInstanceOf(LockException.class)
                    .hasMessageContainingAll(DocumentedMessages.of("No `ROLE`, behind sentinels"));
        }
    }

    /** Replicated locks behind a master that must not say what its replicas have: the first call names it. */
    @Test
    void waitMissing_grantsNothing() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start()) {
            RedisURI uri = uri(sentinels, ofServers(), ofSentinels());
            try (Holdfast client = Holdfast.builder()
                    .redisUri(uri)
                    .replicated(1, Duration.ofSeconds(1))
                    .build()) {
                DistributedLock lock = client.getLock(NAME);
                assertThatThrownBy(lock::tryLock)
                        .isInstanceOf(LockException.class)
                        .hasMessageContaining(NAME)
                        .hasMessageContainingAll(DocumentedMessages.of("No `WAIT`", 1));
                eventually(() -> !lock.isLocked());
            }
        }
    }

    /** Sentinels that must not report a failover are warned of; it is noticed by the end of the connection. */
    @Test
    void subscribeMissing_isNoticedLater() {
        try (RedisSentinels sentinels = RedisSentinels.builder().replicas(1).start();
                CapturedWarnings warnings = new CapturedWarnings()) {
            RedisURI uri = uri(sentinels, ofServers(), without(ofSentinels(), "+subscribe", "&+switch-master"));
            try (Holdfast client = Holdfast.builder().redisUri(uri).build()) {
                Lease held = client.getLock(NAME).acquire();
                eventually(() ->
                        assertThat(warnings.text()).contains(DocumentedMessages.of("No `SUBSCRIBE` at a sentinel")));
                sentinels.awaitInSync(sentinels.replicas().get(0));

                sentinels.master().server().kill();

                get(client.getLock("orders:43").acquireAsync()).close();
                assertThat(held.isValid()).isTrue();
                held.close();
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
