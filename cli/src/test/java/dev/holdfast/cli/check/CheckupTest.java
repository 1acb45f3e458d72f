package dev.holdfast.cli.check;

import static dev.holdfast.cli.ProcessWait.eventually;
import static dev.holdfast.cli.check.Lines.assertAllIsOk;
import static dev.holdfast.cli.check.Lines.assertFound;
import static dev.holdfast.cli.check.Lines.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
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

    private static Finding right(List<Finding> findings, Use use) {
        return findings.stream()
                .filter(finding ->
                        finding.check() == Check.RIGHTS && finding.figure().matches(use.word() + "[: ].*"))
                .findFirst()
                .orElseThrow();
    }

    private void paste(List<Finding> findings) {
        findings.forEach(finding -> Lines.paste(finding, server));
    }

    private void assumeThatRightsAreKnown() {
        assumeTrue(!server.version().startsWith("6."), "before Redis 7.0, no script can be kept from writing");
    }

    /** Every question is answered, and nothing is written, not even for a moment. */
    @Test
    void wellSetUp_isOk() {
        assumeThatRightsAreKnown();
        server.command("HSET", "cart", "apples", "3");
        String changes = server.info("rdb_changes_since_last_save");
        List<String> keys = server.keys();

        List<Finding> findings = findings();

        assertAllIsOk(findings);
        assertThat(findings).extracting(Finding::check).contains(Check.VERSION, Check.ROLE, Check.RESP3);
        assertThat(one(findings, Check.SUBSCRIPTIONS).figure()).startsWith("SUBSCRIBE");
        assertThat(server.keys()).isEqualTo(keys);
        assertThat(server.command("DBSIZE")).isEqualTo(1L);
        assertThat(server.info("rdb_changes_since_last_save")).isEqualTo(changes);
    }

    /** What is set badly is found, with the figures; and nothing of it is left when what the lines say was pasted. */
    @Test
    void badSettings_areFound_andRemedied() {
        set("maxmemory-policy", "allkeys-lru");
        set("maxmemory", "500000");
        set("timeout", "60");
        set("tcp-keepalive", "0");
        set("min-replicas-to-write", "1");
        set("appendonly", "no");
        set("appendfsync", "everysec");

        List<Finding> findings = findings();

        assertFound(one(findings, Check.EVICTION), Level.ERROR, "maxmemory-policy allkeys-lru, maxmemory 0.5 MB");
        assertFound(one(findings, Check.MEMORY), Level.ERROR, "used of 0.5 MB (maxmemory)");
        assertFound(one(findings, Check.PERSISTENCE), Level.WARNING, "appendonly no");
        assertFound(one(findings, Check.IDLE_TIMEOUT), Level.WARNING, "timeout 60 s");
        assertFound(one(findings, Check.KEEPALIVE), Level.WARNING, "tcp-keepalive 0");
        assertFound(one(findings, Check.MIN_REPLICAS), Level.ERROR, "min-replicas-to-write 1");

        paste(findings);
        assertThat(findings()).noneMatch(finding -> finding.set().startsWith("CONFIG"));
    }

    private void set(String name, String value) {
        server.command("CONFIG", "SET", name, value);
    }

    /** Without a limit, a policy that evicts is a warning; flushes each second are one, too. */
    @Test
    void warnings_areFound() {
        set("maxmemory-policy", "volatile-ttl");
        set("maxmemory", "0");
        set("appendfsync", "everysec");
        List<Finding> findings = findings();

        assertFound(one(findings, Check.EVICTION), Level.WARNING, "volatile-ttl, without maxmemory");
        assertFound(one(findings, Check.PERSISTENCE), Level.WARNING, "appendfsync everysec: the last second");
        paste(findings);
        assertThat(one(findings(), Check.PERSISTENCE).level()).isEqualTo(Level.OK);
    }

    /** A server that is almost full of data, and has twice the memory when what the line says was pasted. */
    @Test
    void almostFull_isFound_andRemedied() {
        try (RedisServer full = RedisServer.builder()
                .config("maxmemory", "20mb")
                .config("maxmemory-policy", "noeviction")
                .start()) {
            for (int i = 0; Long.parseLong(full.info("used_memory")) < 0.92 * (20 << 20); i++) {
                full.command("SETRANGE", "data:" + i, "100000", "x");
            }
            List<Finding> findings = findings(full.uri(), "", Clock.systemUTC());
            Finding memory = one(findings, Check.MEMORY);
            assertFound(memory, Level.WARNING, "used of 20.0 MB (maxmemory), 9");
            Lines.paste(memory, full);
            assertThat(one(findings(full.uri(), "", Clock.systemUTC()), Check.MEMORY)
                            .level())
                    .isEqualTo(Level.OK);
        }
    }

    /** A user with few rights: each line names what is missing, and the user that has all that was pasted lacks nothing. */
    @Test
    void rights_areFound_andRemedied() {
        assumeThatRightsAreKnown();
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

        assertAllIsOk(again("orders:"));
    }

    private List<Finding> again(String prefix) {
        return findings(server.uri().replace("redis://", "redis://locks:secret@"), prefix, Clock.systemUTC());
    }

    /** The keys and channels of a user are those of some names, and these are found. */
    @Test
    void names_areFound() {
        assumeThatRightsAreKnown();
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

    /** A server in another region. */
    @Test
    void roundTrip_isFound() {
        assertFound(roundTrip(Duration.ofMillis(8)), Level.NOTE, "median");
    }

    /** A server on another continent. */
    @Test
    @Tag("slow")
    void longRoundTrip_isFound() {
        assertFound(roundTrip(Duration.ofMillis(52)), Level.WARNING, "median 1");
    }

    private Finding roundTrip(Duration eachWay) {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            proxy.distance(eachWay);
            return one(findings(proxy.uri(), "", Clock.systemUTC()), Check.ROUND_TRIP);
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
