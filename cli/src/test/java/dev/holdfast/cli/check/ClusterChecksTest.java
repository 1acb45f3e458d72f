package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows from the nodes of a cluster, and from the names in an address. */
@Tag("pure")
final class ClusterChecksTest {
    private static final String NODES = """
            id-a 10.0.0.1:7000@17000,host-a myself,master - 0 0 1 connected 0-8191 [42->-id-b]
            id-b 10.0.0.2:7000@17000 master - 0 1 2 connected 8192-16382 16383
            id-c 10.0.0.3:7000@17000 slave,fail id-a 0 1 1 connected
            id-d :0@0 slave,noaddr id-a 0 1 1 disconnected
            """;

    private static final List<Object> SLOTS = List.of(
            List.of(0L, 8191L, List.of("host-a", 7001L, "id-a"), List.of("host-e", 7001L, "id-e")),
            List.of(8192L, 16383L, List.of("", 7000L, "id-b")));

    /** The addresses are those for clients, and nodes without one are left out. */
    @Test
    void table() {
        ClusterTable slots = ClusterTable.ofSlots(SLOTS, "seed");
        assertThat(slots.members())
                .containsExactly(
                        new ClusterTable.Member("id-a", "host-a", 7001, true, false, 8192),
                        new ClusterTable.Member("id-e", "host-e", 7001, false, false, 0),
                        new ClusterTable.Member("id-b", "seed", 7000, true, false, 8192));
        assertThat(slots.with(NODES, "seed").members())
                .containsExactly(
                        new ClusterTable.Member("id-a", "host-a", 7001, true, false, 8192),
                        new ClusterTable.Member("id-b", "seed", 7000, true, false, 8192),
                        new ClusterTable.Member("id-c", "10.0.0.3", 7000, false, true, 0));
    }

    /** A node that has met no other one does not know its address. */
    @Test
    void table_ofANewNode() {
        assertThat(new ClusterTable(List.of())
                        .with("id-a :7000@17000 myself,master - 0 0 0 connected", "seed")
                        .members())
                .containsExactly(new ClusterTable.Member("id-a", "seed", 7000, true, false, 0));
    }

    @Test
    void slots() {
        ClusterTable table = ClusterTable.ofSlots(SLOTS, "seed").with(NODES, "seed");
        assertThat(ClusterChecks.slots(Answer.of(table))).returns(Level.OK, Finding::level);
        assertThat(ClusterChecks.slots(Answer.of(table.with(NODES.replace("0-8191", "0-8190"), "seed"))))
                .returns(Level.ERROR, Finding::level)
                .satisfies(finding -> assertThat(finding.figure()).startsWith("1 of 16384"));
        assertThat(ClusterChecks.slots(Answer.of(table.with(NODES.replace("myself,master", "master,fail"), "seed"))))
                .returns(Level.ERROR, Finding::level);
        assertThat(ClusterChecks.slots(Answer.unknown(Answers.REFUSED))).returns(Level.NOTE, Finding::level);
    }

    @Test
    void settings() {
        assertThat(nodeTimeout("2000")).returns(Level.OK, Finding::level);
        assertThat(nodeTimeout("5000"))
                .returns(Level.OK, Finding::level)
                .returns("cluster-node-timeout 5000: a failover takes 8.8 s", Finding::figure);
        assertThat(nodeTimeout("15000"))
                .returns(Level.WARNING, Finding::level)
                .returns("CONFIG SET cluster-node-timeout 5000", Finding::set);
        assertThat(nodeTimeout("1000")).returns(Level.NOTE, Finding::level);
        assertThat(coverage("no")).returns(Level.OK, Finding::level);
        assertThat(coverage("yes"))
                .returns(Level.WARNING, Finding::level)
                .returns("CONFIG SET cluster-require-full-coverage no", Finding::set);
        assertThat(Stream.of(
                        ClusterChecks.nodeTimeout(Answers.refused()), ClusterChecks.fullCoverage(Answers.refused())))
                .allMatch(finding ->
                        finding.level() == Level.NOTE && finding.figure().contains("unknown"));
    }

    private static Finding nodeTimeout(String millis) {
        return ClusterChecks.nodeTimeout(
                Answers.good().setting("cluster-node-timeout", millis).node());
    }

    private static Finding coverage(String value) {
        return ClusterChecks.fullCoverage(
                Answers.good().setting("cluster-require-full-coverage", value).node());
    }

    @Test
    void versions() {
        Node older = Answers.good().info("redis_version", "6.2.14").node();
        assertThat(ClusterChecks.versions(
                        List.of(Answers.good().node(), Answers.good().node())))
                .returns(Level.OK, Finding::level);
        assertThat(ClusterChecks.versions(List.of(Answers.good().node(), older)))
                .returns(Level.WARNING, Finding::level)
                .returns("6.2.14 and 7.0.15", Finding::figure);
        assertThat(ClusterChecks.versions(List.of(Answers.good().node(), Answers.refused())))
                .returns(Level.NOTE, Finding::level);
    }

    @Test
    void names() {
        assertThat(name(0)).returns(Level.OK, Finding::level);
        assertThat(name(5, "10.0.0.1")).returns(Level.OK, Finding::level);
        assertThat(name(5, "10.0.0.1", "fd00::1")).returns(Level.OK, Finding::level);
        assertThat(name(5, "10.0.0.1", "10.0.0.2"))
                .returns(Level.WARNING, Finding::level)
                .satisfies(finding -> assertThat(finding.figure()).contains("10.0.0.1 and 10.0.0.2"));
        assertThat(name(5, "fd00::1", "fd00::2")).returns(Level.WARNING, Finding::level);
        assertThat(name(30, "10.0.0.1"))
                .returns(Level.NOTE, Finding::level)
                .satisfies(finding -> assertThat(finding.set()).contains("DNS record"));
        assertThat(NameChecks.of(new Lookup("redis.internal", List.of("10.0.0.1"), OptionalLong.empty())))
                .returns(Level.OK, Finding::level)
                .returns("redis.internal leads to 10.0.0.1", Finding::figure);
    }

    private static Finding name(int seconds, String... addresses) {
        return NameChecks.of(new Lookup("redis.internal", List.of(addresses), OptionalLong.of(seconds)));
    }

    /** Equal lines about several nodes are one. */
    @Test
    void findings_areMerged() {
        Finding ok = Finding.ok(Check.ROLE, "replica");
        Finding note = Finding.note(Check.ROLE, "replica", "x");
        assertThat(Finding.merged(List.of(ok.at("a:1"), note.at("b:1"), ok.at("c:1"))))
                .containsExactly(
                        new Finding(Level.OK, Check.ROLE, List.of("a:1", "c:1"), "replica", Check.ROLE.why(), ""),
                        note.at("b:1"));
    }
}
