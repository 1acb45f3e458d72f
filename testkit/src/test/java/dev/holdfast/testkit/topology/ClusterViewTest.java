package dev.holdfast.testkit.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read from the lines of CLUSTER NODES. */
final class ClusterViewTest {
    private static final ClusterView VIEW = ClusterView.parse("""
            aaa 127.0.0.1:7001@17001,host-a master - 0 1426238316232 2 connected 5 7-9
            bbb 127.0.0.1:7002@17002 slave aaa 0 1426238316232 2 disconnected
            ccc 127.0.0.1:7003@17003 myself,master - 0 0 1 connected 0-4 [4->-aaa] [9-<-aaa]
            ddd 127.0.0.1:7004@17004 master,fail - 0 0 4 connected
            """);

    /** A master's line names its address without the bus, its epoch and its slots. */
    @Test
    void parse_master() {
        ClusterMember master = VIEW.member("aaa").orElseThrow();
        assertThat(master.host()).isEqualTo("127.0.0.1");
        assertThat(master.port()).isEqualTo(7001);
        assertThat(master.isMaster()).isTrue();
        assertThat(master.isFailed()).isFalse();
        assertThat(master.master()).isNull();
        assertThat(master.configEpoch()).isEqualTo(2);
        assertThat(master.connected()).isTrue();
        assertThat(master.slots()).isEqualTo(List.of(new SlotRange(5, 5), new SlotRange(7, 9)));
    }

    /** A replica's line names its master and no slots. */
    @Test
    void parse_replica() {
        ClusterMember replica = VIEW.member("bbb").orElseThrow();
        assertThat(replica.isMaster()).isFalse();
        assertThat(replica.master()).isEqualTo("aaa");
        assertThat(replica.connected()).isFalse();
        assertThat(replica.slots()).isEmpty();
    }

    /** The observer's own line names the slots that move, apart from those that it owns. */
    @Test
    void parse_observer() {
        ClusterMember self = VIEW.self();
        assertThat(self.id()).isEqualTo("ccc");
        assertThat(self.slots()).isEqualTo(List.of(new SlotRange(0, 4)));
        assertThat(self.migrating()).isEqualTo(Map.of(4, "aaa"));
        assertThat(self.importing()).isEqualTo(Map.of(9, "aaa"));
    }

    /** The owner of a slot is the master that has it in one of its ranges. */
    @Test
    void owner_byRange() {
        assertThat(VIEW.owner(8).map(ClusterMember::id)).contains("aaa");
        assertThat(VIEW.owner(0).map(ClusterMember::id)).contains("ccc");
        assertThat(VIEW.owner(6)).isEmpty();
        assertThat(VIEW.member("ddd").orElseThrow().isFailed()).isTrue();
    }

    /** Of views that differ, the claim with the highest config epoch counts, whatever the order. */
    @Test
    void latest_highestEpoch() {
        ClusterView stale = ClusterView.parse("""
                aaa 127.0.0.1:7001@17001 myself,master - 0 0 2 connected 0-9
                bbb 127.0.0.1:7002@17002 slave aaa 0 0 2 connected
                """);
        ClusterView current = ClusterView.parse("""
                aaa 127.0.0.1:7001@17001 master,fail - 0 0 2 connected
                bbb 127.0.0.1:7002@17002 myself,master - 0 0 3 connected 0-9
                """);
        for (List<ClusterView> views : List.of(List.of(stale, current), List.of(current, stale))) {
            assertThat(ClusterView.latestOwner(views, 5).map(ClusterMember::id)).contains("bbb");
            assertThat(ClusterView.latest(views, "bbb").map(ClusterMember::isMaster))
                    .contains(true);
            assertThat(ClusterView.latest(views, "aaa").map(ClusterMember::isFailed))
                    .contains(false);
        }
    }
}
