package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DocumentedMessages;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a client finds its master by sentinels, some of which do not answer, and what it reports if it finds none. */
@Tag("topology")
@Tag("driver")
class SentinelClientTest {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.embedded(), 1);

    private final RedisSentinels sentinels = redis.sentinels();

    @AfterEach
    void resumeAll() {
        sentinels.sentinels().forEach(RedisServer::resume);
        sentinels.awaitOk();
        eventually(() -> redis.client().isConnected());
    }

    private static HoldfastBuilder builder(String uri) {
        return Holdfast.builder().redisUri(uri).connectTimeout(CONNECT_TIMEOUT);
    }

    private static void assertWorks(HoldfastBuilder builder) {
        try (Holdfast client = builder.build();
                Lease lease = client.getLock("found").acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(redis.keys()).contains("found");
        }
    }

    private static void assertFails(HoldfastBuilder builder, String... message) {
        assertThatThrownBy(builder::build).isInstanceOf(LockException.class).hasMessageContainingAll(message);
    }

    /** No connection is left after the close, neither to the master nor to a sentinel. */
    @Test
    void close_leavesNoConnection() {
        int before = connections();
        Holdfast client = redis.connect(builder -> builder);
        client.getLock("closed").acquire().close();
        assertThat(connections()).isGreaterThan(before);
        client.close();
        eventually(() -> connections() == before);
    }

    private int connections() {
        return Stream.concat(sentinels.servers().stream().map(DataNode::server), sentinels.sentinels().stream())
                .mapToInt(server -> (int) server.clients().stream()
                        .filter(client -> !String.valueOf(client).contains("name=sentinel-"))
                        .count())
                .sum();
    }

    /** The first sentinel does not answer: the others are the majority, and are not kept waiting. */
    @Test
    void firstSentinel_isPaused() {
        sentinels.sentinels().get(0).pause();
        assertWorks(builder(sentinels.uri()));
    }

    /** One address in the list is dead. */
    @Test
    void oneSentinel_isDead() {
        assertWorks(builder(sentinels.uri().replace("redis-sentinel://", "redis-sentinel://127.0.0.1:1,")));
    }

    /** While no sentinel answers, a new connection to the address that was the master's is not used. */
    @Test
    void allSentinels_arePaused_theOldAddressIsNotUsed() {
        assertNotUsedWithout(sentinels.sentinels(), "not without a sentinel");
    }

    /** The same while only a minority answers: it may be cut off from the others, together with a master that was replaced. */
    @Test
    void mostSentinels_arePaused_theOldAddressIsNotUsed() {
        assertNotUsedWithout(sentinels.sentinels().subList(1, 3), "not by a minority");
    }

    private void assertNotUsedWithout(List<RedisServer> paused, String name) {
        DataNode master = sentinels.master();
        redis.client().getLock(name).acquire().close();
        paused.forEach(RedisServer::pause);
        master.server().command("CLIENT", "KILL", "TYPE", "normal");
        eventually(() -> !redis.client().isConnected());

        CompletableFuture<Lease> waiting = redis.client().getLock(name).acquireAsync();
        assertThatThrownBy(() -> redis.client().getLock("other").tryLock(Duration.ofMillis(700)))
                .isInstanceOf(LockException.class);
        assertThat(waiting).isNotDone();
        assertThat(master.server().keys()).doesNotContain(name, "other");

        paused.forEach(RedisServer::resume);
        get(waiting).close();
    }

    /** A client that reaches only a minority of its sentinels is told so. */
    @Test
    void mostSentinels_areDead_isReported() {
        assertFails(
                builder(sentinels.uri().replaceFirst(",[^/]*", ",127.0.0.1:1,127.0.0.1:2")),
                "less than a majority",
                "answered",
                "127.0.0.1:1",
                "refused");
    }

    /** The name in the URI is none that the sentinels know. */
    @Test
    void unknownMaster_isReported() {
        assertFails(
                builder(sentinels.uri().replace(RedisSentinels.MASTER_NAME, "another-master")),
                "know no master 'another-master'");
        assertFails(
                builder(sentinels.uri().replace(RedisSentinels.MASTER_NAME, "another-master")),
                DocumentedMessages.of("Sentinels that do not know the name"));
    }

    /** No sentinel answers: each is named. */
    @Test
    void noSentinel_isReported() {
        assertFails(
                builder("redis-sentinel://127.0.0.1:1,127.0.0.1:2/0#some-master"),
                "some-master",
                "127.0.0.1:1",
                "127.0.0.1:2",
                "refused");
    }

    /** The password of the sentinels is another one than that of Redis. */
    @Test
    void sentinelPassword() {
        try (RedisSentinels secured = RedisSentinels.builder()
                .replicas(0)
                .sentinels(1)
                .quorum(1)
                .password("of-redis")
                .sentinelPassword("of-sentinels")
                .start()) {
            assertFails(builder(secured.uri()), DocumentedMessages.of("Sentinels with a password of their own"));
            assertFails(builder(secured.uri()), "NOAUTH");
            RedisURI uri = RedisURI.create(secured.uri());
            uri.getSentinels()
                    .forEach(sentinel -> sentinel.setCredentialsProvider(
                            RedisCredentialsProvider.from(() -> RedisCredentials.just(null, "of-sentinels"))));
            try (Holdfast client = Holdfast.builder().redisUri(uri).build();
                    Lease lease = client.getLock("secured").acquire()) {
                assertThat(lease.isValid()).isTrue();
            }
        }
    }

    /**
     * The password is none of Redis, which the sentinels do not check: no client is built, although a look-up of the master
     * that was begun by another sentinel may be faster than that of the build.
     */
    @Test
    void passwordOfRedis_isWrong() {
        try (RedisSentinels secured =
                RedisSentinels.builder().replicas(0).password("of-redis").start()) {
            assertFails(
                    builder(secured.uri().replace(":of-redis@", ":another@")),
                    DocumentedMessages.of("A wrong password behind sentinels"));
            for (int i = 0; i < 30; i++) {
                assertFails(
                        builder(secured.uri().replace(":of-redis@", ":another@")),
                        "127.0.0.1:" + secured.master().server().port(),
                        "which the sentinels name as master",
                        "WRONGPASS");
            }
        }
    }

    /** The address of a server as that of a sentinel, and the reverse. */
    @Test
    void sentinelAndServer_areConfused() {
        String server = sentinels.master().uri().replace("redis://", "redis-sentinel://");
        String row = "A sentinel at `redis://`, a server at `redis-sentinel://`";
        assertFails(builder(sentinels.sentinels().get(0).uri()), DocumentedMessages.of(row, 0));
        assertFails(builder(sentinels.sentinels().get(0).uri()), "redis-sentinel://");
        assertFails(builder(server + "/0#" + RedisSentinels.MASTER_NAME), DocumentedMessages.of(row, 1));
        assertFails(builder(server + "/0#" + RedisSentinels.MASTER_NAME), "unknown command");
    }

    /** The URI of a replica, in place of that of the sentinels. */
    @Test
    void replica_isReported() {
        assertFails(builder(sentinels.replicas().get(0).uri()), DocumentedMessages.of("The address of a replica"));
    }
}
