package dev.holdfast.cli.check;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Each line about one server, by a server that is set up so; and what is pasted from a line works. */
@TestInstance(Lifecycle.PER_CLASS)
final class CheckupTest {
    private static final Set<Use> ALL = EnumSet.range(Use.LOCK, Use.CONDITION);

    private final RedisServer server = RedisServer.builder().persistent().start();

    @AfterAll
    void stop() {
        server.close();
    }

    private static List<Finding> findings(String uri, String prefix, Clock clock) {
        return Checkup.of(List.of(RedisURI.create(uri)), ALL, prefix, clock);
    }

    private List<Finding> findings() {
        return findings(server.uri(), "", Clock.systemUTC());
    }

    private List<Finding> ofUser(String prefix, String... rights) {
        server.setUser("locks", "secret", rights);
        return findings(server.uri().replace("redis://", "redis://locks:secret@"), prefix, Clock.systemUTC());
    }

    private static Finding one(List<Finding> findings, Check check) {
        assertThat(findings).filteredOn(finding -> finding.check() == check).hasSize(1);
        return findings.stream()
                .filter(finding -> finding.check() == check)
                .findFirst()
                .orElseThrow();
    }

    private static Finding right(List<Finding> findings, Use use) {
        return findings.stream()
                .filter(finding ->
                        finding.check() == Check.RIGHTS && finding.figure().matches(use.word() + "[: ].*"))
                .findFirst()
                .orElseThrow();
    }

    /** Round trips depend on the machine. */
    private static List<Finding> besidesRoundTrips(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.check() != Check.ROUND_TRIP)
                .toList();
    }

    private void paste(List<Finding> findings) {
        findings.stream()
                .map(Finding::set)
                .filter(set -> set.matches("(CONFIG|ACL|SENTINEL) SET.*"))
                .forEach(set -> server.command(set.split(" ", -1)));
    }

    /** Every question is answered, and nothing is written, not even for a moment. */
    @Test
    void wellSetUp_isOk() {
        server.command("HSET", "cart", "apples", "3");
        String changes = server.info("rdb_changes_since_last_save");
        List<String> keys = server.keys();

        List<Finding> findings = findings();

        assertThat(besidesRoundTrips(findings)).allMatch(finding -> finding.level() == Level.OK);
        assertThat(findings).extracting(Finding::check).contains(Check.VERSION, Check.ROLE, Check.RESP3);
        assertThat(one(findings, Check.VERSION).figure()).isEqualTo("Redis " + server.version());
        assertThat(one(findings, Check.SUBSCRIPTIONS).figure()).startsWith("SUBSCRIBE");
        assertThat(server.keys()).isEqualTo(keys);
        assertThat(server.command("DBSIZE")).isEqualTo(1L);
        assertThat(server.info("rdb_changes_since_last_save")).isEqualTo(changes);
    }

    /** What is set badly is found, with the figures; and nothing of it is left when what the lines say was pasted. */
    @Test
    void badSettings_areFound_andRemedied() {
        server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "500000");
        server.command("CONFIG", "SET", "timeout", "60", "tcp-keepalive", "0", "min-replicas-to-write", "1");
        server.command("CONFIG", "SET", "appendonly", "no", "appendfsync", "everysec");

        List<Finding> findings = findings();

        assertFound(one(findings, Check.EVICTION), Level.ERROR, "maxmemory-policy allkeys-lru, maxmemory 0.5 MB");
        assertFound(one(findings, Check.MEMORY), Level.ERROR, "used of 0.5 MB (maxmemory)");
        assertFound(one(findings, Check.PERSISTENCE), Level.WARNING, "appendonly no");
        assertFound(one(findings, Check.IDLE_TIMEOUT), Level.WARNING, "timeout 60 s");
        assertFound(one(findings, Check.KEEPALIVE), Level.WARNING, "tcp-keepalive 0");
        assertFound(one(findings, Check.MIN_REPLICAS), Level.ERROR, "min-replicas-to-write 1");

        paste(findings);
        assertThat(besidesRoundTrips(findings())).allMatch(finding -> finding.level() == Level.OK);
    }

    private static void assertFound(Finding finding, Level level, String figure) {
        assertThat(finding.level()).as("%s", finding).isEqualTo(level);
        assertThat(finding.figure()).contains(figure);
        assertThat(finding.why()).isNotEmpty();
        assertThat(finding.set()).isNotEmpty();
    }

    /** Without a limit, a policy that evicts is a warning; flushes each second are one, too. */
    @Test
    void warnings_areFound() {
        server.command(
                "CONFIG", "SET", "maxmemory-policy", "volatile-ttl", "maxmemory", "0", "appendfsync", "everysec");
        List<Finding> findings = findings();

        assertFound(one(findings, Check.EVICTION), Level.WARNING, "volatile-ttl, without maxmemory");
        assertFound(one(findings, Check.PERSISTENCE), Level.WARNING, "appendfsync everysec: the last second");
        paste(findings);
        assertThat(one(findings(), Check.PERSISTENCE).level()).isEqualTo(Level.OK);
    }

    /** A user with few rights: each line names what is missing, and the user that has all that was pasted lacks nothing. */
    @Test
    void rights_areFound_andRemedied() {
        List<Finding> findings = ofUser("orders:", "+eval", "+config|get", "+info");
        assertThat(Use.values()).filteredOn(use -> use.isIn(Shape.ONE_SERVER)).allSatisfy(use -> {
            Finding finding = right(findings, use);
            assertThat(finding.level()).as("%s", finding).isEqualTo(use.level());
            assertThat(finding.set()).startsWith("ACL SETUSER locks ");
        });
        assertThat(one(findings, Check.SUBSCRIPTIONS).level()).isEqualTo(Level.ERROR);
        assertThat(right(findings, Use.LINE).set()).isEqualTo("ACL SETUSER locks +time +pubsub|numsub");

        paste(findings); // a channel is not known to be missing as long as nothing may be published
        List<Finding> pasted = again("orders:");
        paste(pasted);

        assertThat(besidesRoundTrips(again("orders:"))).allMatch(finding -> finding.level() == Level.OK);
    }

    private List<Finding> again(String prefix) {
        return findings(server.uri().replace("redis://", "redis://locks:secret@"), prefix, Clock.systemUTC());
    }

    /** The keys and channels of a user are those of some names, and these are found. */
    @Test
    void names_areFound() {
        String[] rights = {
            "~orders:*", "~redisson_lock_token:{orders:*", "resetchannels", "&redisson_lock__channel:{orders:*", "+@all"
        };
        assertThat(right(ofUser("orders:", rights), Use.FENCED).level()).isEqualTo(Level.OK);
        assertThat(right(ofUser("shop:", rights), Use.FENCED).set())
                .isEqualTo("ACL SETUSER locks ~shop:* ~redisson_lock_token:{shop:* &redisson_lock__channel:{shop:*");
        assertThat(right(ofUser("orders:", rights), Use.SEMAPHORE).set())
                .isEqualTo(
                        "ACL SETUSER locks ~holdfast_semaphore:{orders:* &holdfast__channel:holdfast_semaphore:{orders:*");
        assertThat(right(ofUser("", rights), Use.LOCK).figure()).startsWith("lock unknown");
        assertThat(one(ofUser("", rights), Check.SUBSCRIPTIONS).figure()).startsWith("unknown");
    }

    /** What a user may not ask is unknown, and never ok. */
    @Test
    void refused_isUnknown() {
        List<Finding> findings = ofUser("", "+ping");
        for (Check check : List.of(
                Check.VERSION,
                Check.ROLE,
                Check.EVICTION,
                Check.MEMORY,
                Check.PERSISTENCE,
                Check.CLOCK,
                Check.IDLE_TIMEOUT,
                Check.KEEPALIVE,
                Check.REPLICAS,
                Check.MIN_REPLICAS)) {
            Finding finding = one(findings, check);
            assertThat(finding.level()).as("%s", finding).isEqualTo(Level.NOTE);
            assertThat(finding.figure()).contains("unknown", "NOPERM");
        }
        assertThat(right(findings, Use.FENCED).figure()).endsWith("lacks +evalsha +eval");
    }

    /** Commands that were renamed are not known, whatever the rights. */
    @Test
    void renamedCommands_areFound() {
        try (RedisServer renamed = RedisServer.builder()
                .config("rename-command", "HELLO", "")
                .config("rename-command", "SUBSCRIBE", "")
                .config("rename-command", "EVALSHA", "")
                .config("rename-command", "CONFIG", "")
                .start()) {
            List<Finding> findings = findings(renamed.uri(), "", Clock.systemUTC());
            assertFound(one(findings, Check.RESP3), Level.NOTE, "HELLO");
            assertFound(one(findings, Check.SUBSCRIPTIONS), Level.ERROR, "SUBSCRIBE");
            assertFound(right(findings, Use.LOCK), Level.ERROR, "the server does not know EVALSHA");
            assertFound(one(findings, Check.KEEPALIVE), Level.NOTE, "unknown");
        }
    }

    /** The address of a replica, and its master with a replica. */
    @Test
    void replica_isFound() {
        try (RedisServer replica = RedisServer.builder().replicaOf(server).start()) {
            assertFound(
                    one(findings(replica.uri(), "", Clock.systemUTC()), Check.ROLE),
                    Level.ERROR,
                    "replica of 127.0.0.1:" + server.port());
            eventually(() -> one(findings(), Check.REPLICAS).figure().startsWith("1, lag at most"));
        }
    }

    /** A clock that differs by an hour. */
    @Test
    void clock_isFound() {
        Clock slow = Clock.offset(Clock.systemUTC(), Duration.ofHours(-1).minusMillis(500));
        assertFound(one(findings(server.uri(), "", slow), Check.CLOCK), Level.WARNING, "+3600");
    }

    /** A server that is far away. */
    @Test
    void roundTrip_isFound() {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.distance(Duration.ofMillis(8));
            assertFound(one(findings(proxy.uri(), "", Clock.systemUTC()), Check.ROUND_TRIP), Level.NOTE, "median");
        }
    }

    /** A name in the file of hosts. */
    @Test
    void name_isFound() {
        String uri = "redis://localhost:" + server.port();
        assertThat(one(findings(uri, "", Clock.systemUTC()), Check.NAMES).figure())
                .startsWith("localhost leads to ")
                .doesNotContain("cached");
    }
}
