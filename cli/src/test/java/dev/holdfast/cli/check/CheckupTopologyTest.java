package dev.holdfast.cli.check;

import static dev.holdfast.cli.ProcessWait.eventually;
import static dev.holdfast.cli.check.Lines.assertAllIsOk;
import static dev.holdfast.cli.check.Lines.assertFound;
import static dev.holdfast.cli.check.Lines.worst;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.RedisSentinels;
import dev.holdfast.testkit.topology.Slots;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each line about sentinels and clusters, by such as are set up so; and what is pasted from a line works. */
@Tag("slow")
final class CheckupTopologyTest {
    private static List<Finding> findings(RedisURI... uris) {
        return Checkup.of(List.of(uris), EnumSet.of(Use.LOCK), "", Clock.systemUTC());
    }

    private static void paste(Finding finding, Stream<RedisServer> servers) {
        servers.filter(server -> finding.where().contains(server.host() + ":" + server.port()))
                .forEach(server -> Lines.paste(finding, server));
    }

    private static void assumeThatRightsAreKnown(RedisServer server) {
        assumeTrue(!server.version().startsWith("6."), "before Redis 7.0, no script can be kept from writing");
    }

    @Test
    void sentinels() {
        try (RedisSentinels redis = RedisSentinels.builder()
                .config("appendonly", "yes")
                .config("min-replicas-to-write", "1")
                .config("min-replicas-max-lag", "2")
                .start()) {
            assumeThatRightsAreKnown(redis.master().server());
            RedisURI uri = RedisURI.create(redis.uri());
            List<Finding> good = findings(uri);
            assertAllIsOk(good);
            assertThat(Lines.of(good, Check.SENTINELS).get(0).figure()).isEqualTo("3 named, 3 answer, 3 known");
            assertThat(Lines.of(good, Check.NODES).get(0).figure()).isEqualTo("all 3 answer");
            assertThat(Lines.of(good, Check.REPLICAS).get(0).figure()).startsWith("2, lag at most");
            assertThat(worst(good, Check.RIGHTS).figure()).doesNotContain("cluster");

            redis.sentinels().forEach(sentinel -> {
                set(sentinel, "quorum", "4");
                set(sentinel, "down-after-milliseconds", "30000");
            });
            redis.servers().forEach(node -> node.server().command("CONFIG", "SET", "min-replicas-to-write", "0"));
            List<Finding> bad = findings(uri);
            assertFound(worst(bad, Check.QUORUM), Level.ERROR, "quorum 4 of 3");
            assertFound(worst(bad, Check.DOWN_AFTER), Level.WARNING, "a failover takes 31 s");
            assertFound(worst(bad, Check.MIN_REPLICAS), Level.WARNING, "min-replicas-to-write 0");
            assertThat(worst(bad, Check.MIN_REPLICAS).where()).hasSize(3);
            paste(worst(bad, Check.QUORUM), redis.sentinels().stream());
            paste(worst(bad, Check.DOWN_AFTER), redis.sentinels().stream());
            paste(worst(bad, Check.MIN_REPLICAS), redis.servers().stream().map(node -> node.server()));
            assertAllIsOk(findings(uri));

            assertFound(
                    worst(findings(RedisURI.create(redis.sentinels().get(0).uri())), Check.ROLE),
                    Level.ERROR,
                    "sentinel");
            RedisURI wrong = RedisURI.create(redis.uri().replaceFirst("#.*", "#other"));
            assertFound(worst(findings(wrong), Check.SENTINELS), Level.ERROR, "knows no master 'other'");
            RedisURI two = RedisURI.create(redis.uri().replaceFirst("127.0.0.1:\\d+,", ""));
            assertFound(worst(findings(two), Check.SENTINELS), Level.WARNING, "2 named, 2 answer, 3 known");

            assertRefusedIsUnknown(redis, uri);

            RedisServer replica = redis.replicas().get(0).server();
            replica.pause();
            try {
                eventually(() -> {
                    List<Finding> late = findings(uri);
                    assertFound(worst(late, Check.NODES), Level.WARNING, "a replica that does not answer");
                    return worst(late, Check.REPLICAS).figure().matches("2, .* lags [3-9] s.*");
                });
            } finally {
                replica.resume();
            }
            redis.sentinels().get(2).kill();
            redis.replicas().forEach(node -> node.server().kill());
            List<Finding> down = findings(uri);
            assertFound(worst(down, Check.SENTINELS), Level.WARNING, "does not answer: Connection refused");
            assertThat(Lines.of(down, Check.NODES)).singleElement().satisfies(finding -> {
                assertFound(finding, Level.WARNING, "a replica that does not answer");
                assertThat(finding.where()).hasSize(2);
            });
            eventually(() -> worst(findings(uri), Check.REPLICAS).level() == Level.ERROR);
        }
    }

    private static void set(RedisServer sentinel, String option, String value) {
        sentinel.command("SENTINEL", "SET", RedisSentinels.MASTER_NAME, option, value);
    }

    /** A sentinel's user with the rights that the library needs may not ask for the rest. */
    private static void assertRefusedIsUnknown(RedisSentinels redis, RedisURI uri) {
        redis.sentinels()
                .forEach(sentinel -> sentinel.setUser(
                        "locks",
                        "secret",
                        "+ping",
                        "+subscribe",
                        "+sentinel|get-master-addr-by-name",
                        "resetchannels",
                        "&+switch-master"));
        RedisURI restricted = RedisURI.create(redis.uri());
        restricted.getSentinels().forEach(sentinel -> sentinel.setAuthentication("locks", "secret"));
        List<Finding> findings = findings(restricted);
        assertFound(worst(findings, Check.QUORUM), Level.NOTE, "quorum unknown: NOPERM");
        assertFound(worst(findings, Check.DOWN_AFTER), Level.NOTE, "unknown: NOPERM");
        redis.sentinels().forEach(sentinel -> sentinel.command("ACL", "SETUSER", "locks", "-subscribe"));
        assertFound(worst(findings(restricted), Check.SENTINELS), Level.WARNING, "reports no failovers");
        assertThat(findings(uri)).isNotEmpty();
    }

    @Test
    void cluster() {
        try (RedisCluster redis = RedisCluster.builder()
                .nodeTimeout(Duration.ofSeconds(15))
                .config("appendonly", "yes")
                .start()) {
            RedisURI uri = RedisURI.create(redis.uris().get(0));
            List<RedisServer> servers =
                    redis.nodes().stream().map(ClusterNode::server).toList();
            assumeThatRightsAreKnown(servers.get(0));
            List<Finding> bad = findings(uri);
            assertFound(worst(bad, Check.NODE_TIMEOUT), Level.WARNING, "15000: a failover takes 24.8 s");
            assertFound(worst(bad, Check.FULL_COVERAGE), Level.WARNING, "cluster-require-full-coverage yes");
            paste(worst(bad, Check.NODE_TIMEOUT), servers.stream());
            paste(worst(bad, Check.FULL_COVERAGE), servers.stream());

            List<Finding> good = findings(uri);
            assertAllIsOk(good);
            assertThat(Lines.of(good, Check.SLOTS).get(0).figure()).isEqualTo("all 16384 have a master");
            assertThat(Lines.of(good, Check.NODES).get(0).figure()).isEqualTo("all 6 answer");
            assertThat(Lines.of(good, Check.VERSIONS).get(0).figure()).startsWith("6 nodes, all of");
            assertThat(Lines.of(good, Check.REPLICAS).stream().flatMap(finding -> finding.where().stream()))
                    .hasSize(3);
            assertThat(servers).allSatisfy(server -> assertThat(server.keys()).isEmpty());
            assertThat(Lines.of(good, Check.SUBSCRIPTIONS).get(0).figure()).isEqualTo("SSUBSCRIBE is accepted");
            assertRightsAreFound(redis, servers);
            RedisURI withDatabase = RedisURI.create(redis.uris().get(0));
            withDatabase.setDatabase(3);
            assertFound(worst(findings(withDatabase), Check.ADDRESS), Level.ERROR, "database 3");
            assertFound(
                    worst(findings(uri, RedisURI.create("redis://127.0.0.1:1")), Check.NODES),
                    Level.WARNING,
                    "named by the address");

            ClusterNode master = redis.masters().get(0);
            servers.forEach(server -> server.command("CONFIG", "SET", "cluster-node-timeout", "15000"));
            redis.replicasOf(master).forEach(node -> node.server().kill());
            List<Finding> down = findings(RedisURI.create(redis.masters().get(0).uri()));
            assertFound(worst(down, Check.NODES), Level.WARNING, "a replica that does not answer");
            eventually(() -> worst(findings(RedisURI.create(master.uri())), Check.REPLICAS)
                            .level()
                    == Level.WARNING);
            redis.masterBeside(master).server().kill();
            assertFound(
                    worst(findings(RedisURI.create(master.uri())), Check.NODES),
                    Level.ERROR,
                    "a master that does not answer");
            master.server().command("CLUSTER", "DELSLOTS", "" + Slots.of(redis.keyAt(master)));
            assertFound(worst(findings(RedisURI.create(master.uri())), Check.SLOTS), Level.ERROR, "1 of 16384");
        }
    }

    /** What is missing at some nodes is found, and pasted there; a table that may not be read leaves the node alone. */
    private static void assertRightsAreFound(RedisCluster redis, List<RedisServer> servers) {
        for (RedisServer server : servers) {
            server.setUser("locks", "secret", "~*", "&*", "+@all");
        }
        RedisURI uri = RedisURI.create(redis.uris().get(0).replace("redis://", "redis://locks:secret@"));
        RedisServer other = servers.get(1);
        other.command(
                "ACL",
                "SETUSER",
                "locks",
                "-spublish",
                "-ssubscribe",
                "-pubsub|shardnumsub",
                "-asking",
                "-cluster|slots");
        List<Finding> findings = findings(uri);
        List<Finding> missing = findings.stream()
                .filter(finding -> finding.check() == Check.RIGHTS && finding.level() != Level.OK)
                .toList();
        assertThat(missing)
                .extracting(Finding::set)
                .containsExactly(
                        "ACL SETUSER locks +ssubscribe",
                        "ACL SETUSER locks +spublish",
                        "ACL SETUSER locks +pubsub|shardnumsub",
                        "ACL SETUSER locks +cluster|slots",
                        "ACL SETUSER locks +asking");
        assertThat(missing).allMatch(finding -> finding.where().equals(List.of(other.host() + ":" + other.port())));
        assertFound(worst(findings, Check.SUBSCRIPTIONS), Level.ERROR, "NOPERM");
        missing.forEach(finding -> paste(finding, servers.stream()));
        assertAllIsOk(findings(uri));

        servers.get(0).command("ACL", "SETUSER", "locks", "-cluster");
        List<Finding> alone = findings(uri);
        assertFound(worst(alone, Check.SLOTS), Level.NOTE, "slots unknown: NOPERM");
        assertFound(worst(alone, Check.RIGHTS), Level.ERROR, "lacks +cluster|slots");
    }

    @Test
    void addresses() {
        try (RedisServer one = RedisServer.builder().start();
                RedisServer node = RedisServer.builder().clusterNode().start()) {
            assertFound(
                    worst(findings(RedisURI.create(one.uri()), RedisURI.create(node.uri())), Check.ADDRESS),
                    Level.ERROR,
                    "2 servers");
            assertFound(worst(findings(RedisURI.create(node.uri())), Check.SLOTS), Level.ERROR, "16384 of 16384");
        }
    }
}
