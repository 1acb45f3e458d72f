package dev.holdfast.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The client uses whatever topology and credentials {@code spring.data.redis.*} names. */
final class DataRedisTopologyTest {
    /** Every character that has a meaning in a URI. */
    private static final String PASSWORD = "p@ss:w/or?d#%20+&=,é";

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class));

    private static void assertLocksAreOn(RedisServer server, Holdfast client, String key) {
        try (Lease lease = client.getLock(key).acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(server.keys()).contains(key);
        }
    }

    /** Locks are on the master of their slot, with a password that needs an encoding in URIs. */
    @Test
    void cluster_isUsed() {
        try (RedisCluster cluster = RedisCluster.builder().password(PASSWORD).start()) {
            String nodes = cluster.masters().stream()
                    .map(node -> "127.0.0.1:" + node.announcedPort())
                    .collect(Collectors.joining(","));
            application
                    .withPropertyValues(
                            "spring.data.redis.cluster.nodes=" + nodes, "spring.data.redis.password=" + PASSWORD)
                    .run(context -> {
                        Holdfast client = context.getBean(Holdfast.class);
                        for (var master : cluster.masters()) {
                            assertLocksAreOn(master.server(), client, cluster.keyAt(master));
                        }
                    });
        }
    }

    /** A node of a cluster that is down does not keep the application from starting, as long as another is named. */
    @Test
    void cluster_firstNodeDown() {
        RedisServer gone = RedisServer.start();
        int port = gone.port();
        gone.close();
        try (RedisCluster cluster = RedisCluster.start()) {
            var master = cluster.masters().get(0);
            application
                    .withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:" + port + ",127.0.0.1:"
                            + master.announcedPort())
                    .run(context ->
                            assertLocksAreOn(master.server(), context.getBean(Holdfast.class), cluster.keyAt(master)));
        }
    }

    /** A URL that is malformed, and not used since a container is, has its password in no message. */
    @Test
    void url_malformed_isNotRepeated() {
        DataRedisConnectionDetails container = new DataRedisConnectionDetails() {
            @Override
            public Standalone getStandalone() {
                return Standalone.of("localhost", 6379);
            }
        };
        assertThatCode(() -> new DataRedisHoldfastConnectionDetails(container, "rediss://:sec ret@localhost:6379")
                        .applyTo(Holdfast.builder()))
                .doesNotThrowAnyException();
    }

    /** Locks are on the master that the sentinels name, and the sentinels have a password of their own. */
    @Test
    void sentinels_areAsked() {
        try (RedisSentinels sentinels = RedisSentinels.builder()
                .password(PASSWORD)
                .sentinelPassword("another")
                .start()) {
            DataNode master = sentinels.master();
            String nodes = sentinels.sentinels().stream()
                    .map(sentinel -> sentinel.host() + ":" + sentinel.port())
                    .collect(Collectors.joining(","));
            application
                    .withPropertyValues(
                            "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER_NAME,
                            "spring.data.redis.sentinel.nodes=" + nodes,
                            "spring.data.redis.sentinel.password=another",
                            "spring.data.redis.password=" + PASSWORD)
                    .run(context -> assertLocksAreOn(master.server(), context.getBean(Holdfast.class), "sentinel"));
        }
    }

    /** A URL may name the user, the password and the database. */
    @Test
    void url_hasCredentialsAndDatabase() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "locks", "on", ">secret", "allkeys", "allchannels", "+@all");
            application
                    .withPropertyValues(
                            "spring.data.redis.url=redis://locks:secret@" + redis.host() + ":" + redis.port() + "/3")
                    .run(context -> {
                        Holdfast client = context.getBean(Holdfast.class);
                        try (Lease lease = client.getLock("url").acquire()) {
                            assertThat(lease.isValid()).isTrue();
                            assertThat(redis.clients()).anyMatch(line -> line.contains("user=locks"));
                            assertThat(redis.info("db3")).startsWith("keys=1");
                        }
                    });
        }
    }
}
