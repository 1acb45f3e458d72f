package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows from the replicas that a master names. */
@Tag("pure")
final class ReplicaChecksTest {
    private static final String ONE = "CONFIG SET min-replicas-to-write 1 and CONFIG SET min-replicas-max-lag 2";
    private static final String NONE = "CONFIG SET min-replicas-to-write 0";

    @Test
    void replicas_areRead() {
        assertThat(Replica.in(Map.of(
                        "slave0", "ip=10.0.0.2,port=6379,state=online,offset=42,lag=1",
                        "slave1", "ip=10.0.0.3,port=6380,state=wait_bgsave,offset=0,lag=0",
                        "slave_read_only", "1")))
                .containsExactly(new Replica("10.0.0.2:6379", true, 1), new Replica("10.0.0.3:6380", false, 0));
    }

    @Test
    void replicas() {
        assertThat(replicas(Shape.ONE_SERVER).level()).isEqualTo(Level.OK);
        assertThat(replicas(Shape.SENTINEL).level()).isEqualTo(Level.ERROR);
        assertThat(replicas(Shape.CLUSTER).level()).isEqualTo(Level.WARNING);
        assertThat(replicas(Shape.CLUSTER, "state=online,offset=1,lag=2"))
                .returns(Level.OK, Finding::level)
                .returns("1, lag at most 2 s", Finding::figure);
        assertThat(replicas(Shape.CLUSTER, "state=online,offset=1,lag=3"))
                .returns(Level.WARNING, Finding::level)
                .returns("1, b:0 lags 3 s", Finding::figure);
        assertThat(replicas(Shape.SENTINEL, "state=online,offset=1,lag=0", "state=send_bulk,offset=0,lag=0"))
                .returns(Level.WARNING, Finding::level)
                .returns("2, b:0 lags 0 s, b:1 is not in sync", Finding::figure);
        assertThat(ReplicaChecks.replicas(Answers.refused(), Shape.SENTINEL).figure())
                .contains("unknown");
    }

    private static Finding replicas(Shape shape, String... states) {
        Answers answers = Answers.good();
        IntStream.range(0, states.length).forEach(i -> answers.info("slave" + i, "ip=b,port=" + i + "," + states[i]));
        return ReplicaChecks.replicas(answers.node(), shape);
    }

    @Test
    void minReplicas() {
        assertMinReplicas(0, 10, 0, Level.OK, "");
        assertMinReplicas(0, 10, 1, Level.OK, "");
        assertMinReplicas(1, 0, 1, Level.OK, "");
        assertMinReplicas(1, 10, 1, Level.WARNING, NONE);
        assertMinReplicas(1, 10, 0, Level.ERROR, NONE);
        assertMinReplicas(0, 10, 2, Level.WARNING, ONE);
        assertMinReplicas(1, 10, 2, Level.WARNING, ONE);
        assertMinReplicas(1, 2, 2, Level.OK, "");
        assertMinReplicas(2, 2, 2, Level.WARNING, ONE);
        assertMinReplicas(2, 2, 3, Level.OK, "");
        assertMinReplicas(3, 2, 2, Level.ERROR, ONE);
    }

    private static void assertMinReplicas(int least, int lag, int replicas, Level level, String set) {
        Node node = Answers.good()
                .setting("min-replicas-to-write", "" + least)
                .setting("min-replicas-max-lag", "" + lag)
                .node();
        List<Replica> of = IntStream.range(0, replicas)
                .mapToObj(i -> new Replica("b:" + i, true, 0))
                .toList();
        assertThat(ReplicaChecks.minReplicas(node, Answer.of(of)))
                .as("%d of %d, %d s", least, replicas, lag)
                .returns(level, Finding::level)
                .returns(set, Finding::set);
    }

    @Test
    void minReplicas_refused_isUnknown() {
        assertThat(ReplicaChecks.minReplicas(Answers.refused(), Answer.of(List.of())))
                .returns(Level.NOTE, Finding::level)
                .satisfies(finding -> assertThat(finding.figure()).contains("unknown"));
        Node node = Answers.good()
                .setting("min-replicas-to-write", "1")
                .setting("min-replicas-max-lag", "2")
                .node();
        assertThat(ReplicaChecks.minReplicas(node, Answer.unknown(Answers.REFUSED)))
                .returns(Level.NOTE, Finding::level)
                .satisfies(finding -> assertThat(finding.figure()).contains("unknown"));
    }
}
