package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows from the answers of one server. */
@Tag("pure")
final class NodeChecksTest {
    private static void assertFound(Finding finding, Level level, String... texts) {
        assertThat(finding.level()).as("%s", finding).isEqualTo(level);
        assertThat(finding.figure() + " set: " + finding.set()).contains(texts);
        assertThat(finding.set().isEmpty()).isEqualTo(level == Level.OK);
    }

    @Test
    void version() {
        assertFound(version("7.0.15", Shape.CLUSTER), Level.OK, "Redis 7.0.15");
        assertFound(version("6.2.14", Shape.ONE_SERVER), Level.OK, "6.2.14");
        assertFound(version("6.2.14", Shape.CLUSTER), Level.WARNING, "6.2.14", "7.0");
        assertFound(version("6.0.16", Shape.ONE_SERVER), Level.ERROR, "6.0.16", "upgrade");
        assertFound(version("5.0.7", Shape.SENTINEL), Level.ERROR, "5.0.7", "upgrade");
        assertFound(version("10.0.0", Shape.CLUSTER), Level.OK, "10.0.0");
        assertFound(
                NodeChecks.version(
                        Answers.good().info("valkey_version", "9.0.1").node(), Shape.CLUSTER),
                Level.OK,
                "Valkey 9.0.1");
    }

    private static Finding version(String version, Shape shape) {
        return NodeChecks.version(Answers.good().info("redis_version", version).node(), shape);
    }

    @Test
    void role() {
        Node replica = Answers.good()
                .info("role", "slave")
                .info("master_host", "b")
                .info("master_port", "1")
                .node();
        assertFound(NodeChecks.role(Answers.good().node(), Shape.ONE_SERVER), Level.OK, "master");
        assertFound(NodeChecks.role(replica, Shape.CLUSTER), Level.OK, "replica");
        assertFound(NodeChecks.role(replica, Shape.ONE_SERVER), Level.ERROR, "replica of b:1", "master");
        for (String mode : List.of("redis_mode", "server_mode")) {
            assertFound(
                    NodeChecks.role(Answers.good().info(mode, "sentinel").node(), Shape.ONE_SERVER),
                    Level.ERROR,
                    "redis-sentinel://");
        }
    }

    @Test
    void protocol() {
        Node node = Answers.good().resp3Refused().node();
        assertFound(NodeChecks.resp3(Answers.good().node(), Shape.CLUSTER), Level.OK, "HELLO 3");
        assertFound(NodeChecks.resp3(node, Shape.CLUSTER), Level.ERROR, "unknown command", "proxy");
        assertFound(NodeChecks.resp3(node, Shape.ONE_SERVER), Level.NOTE, "unknown command", "proxy");
    }

    /** A channel that is refused says nothing as long as it is not known how the names of the application begin. */
    @Test
    void subscriptions() {
        String channel = "NOPERM this user has no permissions to access one of the channels used as arguments";
        assertFound(NodeChecks.subscriptions(Answers.good().node()), Level.OK, "SUBSCRIBE");
        assertFound(
                NodeChecks.subscriptions(
                        Answers.good().subscriptionRefused(channel, "").node()),
                Level.NOTE,
                "unknown",
                "--prefix");
        assertFound(
                NodeChecks.subscriptions(
                        Answers.good().subscriptionRefused(channel, "orders:").node()),
                Level.ERROR,
                "channels");
        assertFound(
                NodeChecks.subscriptions(
                        Answers.good().subscriptionRefused(Answers.REFUSED, "").node()),
                Level.ERROR,
                "NOPERM");
    }

    @Test
    void eviction() {
        String set = "CONFIG SET maxmemory-policy noeviction";
        assertFound(eviction("noeviction", "0"), Level.OK, "noeviction");
        assertFound(eviction("volatile-lru", "0"), Level.WARNING, "volatile-lru", set);
        assertFound(eviction("allkeys-lru", "1048576"), Level.ERROR, "allkeys-lru", "1.0 MB", set);
    }

    private static Finding eviction(String policy, String maxmemory) {
        return NodeChecks.eviction(Answers.good()
                .info("maxmemory_policy", policy)
                .info("maxmemory", maxmemory)
                .node());
    }

    @Test
    void memory() {
        assertFound(memory("0", "0"), Level.OK, "1.0 MB used, without a limit");
        assertFound(memory("0", "104857600"), Level.OK, "1.0 MB used of 100.0 MB (the machine's), 1 %");
        assertFound(memory("0", "1150000"), Level.WARNING, "91 %", "larger machine");
        assertFound(memory("1200000", "0"), Level.OK, "87 %");
        assertFound(memory("1150000", "0"), Level.WARNING, "91 %", "CONFIG SET maxmemory 2097152");
        assertFound(memory("1048576", "0"), Level.ERROR, "100 %", "CONFIG SET maxmemory 2097152");
    }

    private static Finding memory(String maxmemory, String ofTheMachine) {
        return NodeChecks.memory(Answers.good()
                .info("maxmemory", maxmemory)
                .info("total_system_memory", ofTheMachine)
                .node());
    }

    @Test
    void persistence() {
        assertFound(persistence("yes", "always", Shape.ONE_SERVER), Level.OK, "always");
        assertFound(
                persistence("yes", "everysec", Shape.ONE_SERVER),
                Level.WARNING,
                "last second",
                "CONFIG SET appendfsync always");
        assertFound(persistence("yes", "no", Shape.ONE_SERVER), Level.WARNING, "30 s");
        assertFound(persistence("yes", "everysec", Shape.SENTINEL), Level.OK, "everysec");
        assertFound(
                persistence("no", "always", Shape.ONE_SERVER),
                Level.WARNING,
                "appendonly no",
                "CONFIG SET appendonly yes and CONFIG SET appendfsync always");
        assertFound(persistence("no", "always", Shape.CLUSTER), Level.WARNING, "CONFIG SET appendonly yes");
        assertFound(
                NodeChecks.persistence(Answers.good().info("aof_enabled", "0").node(), Shape.ONE_SERVER),
                Level.WARNING,
                "appendonly no, save unknown");
        assertFound(
                NodeChecks.persistence(Answers.good().info("aof_enabled", "1").node(), Shape.ONE_SERVER),
                Level.NOTE,
                "appendfsync unknown");
    }

    private static Finding persistence(String appendOnly, String fsync, Shape shape) {
        return NodeChecks.persistence(
                Answers.good()
                        .setting("appendonly", appendOnly)
                        .setting("appendfsync", fsync)
                        .node(),
                shape);
    }

    /** What the round trip explains does not count. */
    @Test
    void clock() {
        assertFound(clock(900, 1), Level.OK, "within 1 s");
        assertFound(clock(-900, 1), Level.OK, "within 1 s");
        assertFound(clock(1_100, 400), Level.OK, "within 1 s");
        assertFound(clock(1_100, 2), Level.WARNING, "+1100 ms", "NTP");
        assertFound(clock(-3_600_000, 2), Level.WARNING, "-3600000 ms", "+- 1.0 ms", "NTP");
    }

    private static Finding clock(int ahead, int roundTrip) {
        return NodeChecks.clock(Answers.good()
                .clock(Duration.ofMillis(ahead), Duration.ofMillis(roundTrip))
                .node());
    }

    /** One that is slow for once does not count. */
    @Test
    void roundTrips() {
        assertFound(roundTrips(1, 1, 900), Level.OK, "median 1.0 ms, most 900.0 ms of 3");
        assertFound(roundTrips(30, 1, 20), Level.NOTE, "median 20.0 ms", "zone");
        assertFound(roundTrips(300, 1, 120), Level.WARNING, "median 120.0 ms", "zone");
    }

    private static Finding roundTrips(int... millis) {
        return NodeChecks.roundTrip(Answers.good().roundTrips(millis).node());
    }

    @Test
    void timeouts() {
        assertFound(idleTimeout("0"), Level.OK, "timeout 0");
        assertFound(idleTimeout("300"), Level.WARNING, "timeout 300 s", "CONFIG SET timeout 0");
        assertFound(keepalive("300"), Level.OK, "300 s");
        assertFound(keepalive("0"), Level.WARNING, "never", "CONFIG SET tcp-keepalive 300");
        assertFound(keepalive("7200"), Level.WARNING, "7200 s", "CONFIG SET tcp-keepalive 300");
    }

    private static Finding idleTimeout(String seconds) {
        return NodeChecks.idleTimeout(Answers.good().setting("timeout", seconds).node());
    }

    private static Finding keepalive(String seconds) {
        return NodeChecks.keepalive(
                Answers.good().setting("tcp-keepalive", seconds).node());
    }

    /** Nothing that is refused passes for good, and what is not known is a note. */
    @Test
    void refused_isUnknown() {
        for (Shape shape : Shape.values()) {
            for (Finding finding : NodeChecks.of(Answers.refused(), shape)) {
                boolean isKnownAsMissing = finding.check() == Check.SUBSCRIPTIONS || finding.check() == Check.RESP3;
                assertThat(finding.level()).as("%s", finding).isNotEqualTo(Level.OK);
                if (!isKnownAsMissing) {
                    assertThat(finding.level()).isEqualTo(Level.NOTE);
                    assertThat(finding.figure()).contains("unknown");
                }
            }
        }
    }
}
