package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.redis.NodeAddress;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The replies to CLUSTER SLOTS, flattened, of several servers. */
@Tag("pure")
final class SlotTableTest {
    private static final NodeAddress ASKED = new NodeAddress("10.0.0.1", 7000);
    private static final String ID = "09dbe9720cda62f7865eabc5fd8857c5d2678366";

    private static NodeAddress node(int last) {
        return new NodeAddress("10.0.0." + last, 7000);
    }

    private static SlotTable read(Object... reply) {
        return SlotTable.read(List.of(reply), ASKED);
    }

    /** Each range names its master first, and then its replicas. */
    @Test
    void read_masterAndReplicas() {
        SlotTable table = read(
                0L,
                8191L,
                "10.0.0.1",
                7000L,
                ID,
                "10.0.0.3",
                7000L,
                ID,
                8192L,
                16383L,
                "10.0.0.2",
                7000L,
                ID,
                "10.0.0.4",
                7000L,
                ID);
        assertThat(table.master(0)).isEqualTo(node(1));
        assertThat(table.master(8191)).isEqualTo(node(1));
        assertThat(table.master(8192)).isEqualTo(node(2));
        assertThat(table.master(16383)).isEqualTo(node(2));
        assertThat(table.nodes()).containsExactly(node(1), node(3), node(2), node(4));
        assertThat(table.masters()).containsExactly(node(1), node(2));
        assertThat(table.ids()).containsExactly(ID);
    }

    /** A table lacks nodes that the node knows all the same. */
    @Test
    void naming_furtherIds() {
        String failed = "67adfe3df1058896e3cb49d2863e0f70e7e159fa";
        SlotTable table = read(0L, 16383L, "10.0.0.1", 7000L, ID)
                .naming(List.of(ID + " 10.0.0.1:7000@17000 myself,master - 0 0 2 connected 0-16383\n" + failed
                        + " 10.0.0.2:7000@17000 master,fail - 1426238316232 0 1 disconnected\n"));
        assertThat(table.ids()).containsExactlyInAnyOrder(ID, failed);
    }

    /** Two tables are of one cluster if they have a node in common, wherever that is; an empty one is of none. */
    @Test
    void isOfSameClusterAs_byIds() {
        SlotTable table = read(0L, 1L, "10.0.0.1", 7000L, "one", 2L, 3L, "10.0.0.2", 7000L, "two");
        assertThat(read(0L, 3L, "two.example", 7000L, "two").isOfSameClusterAs(table))
                .isTrue();
        assertThat(read(0L, 3L, "10.0.0.1", 7000L, "three").isOfSameClusterAs(table))
                .isFalse();
        assertThat(read().isOfSameClusterAs(table)).isFalse();
    }

    /** From Redis 7.0 on, further texts about a node follow its id. */
    @Test
    void read_hostnames() {
        SlotTable table = read(
                5L,
                5L,
                "one.example",
                7000L,
                ID,
                "ip",
                "10.0.0.1",
                "10.0.0.3",
                7000L,
                ID,
                "hostname",
                "three.example",
                6L,
                6L,
                "10.0.0.2",
                7000L,
                ID,
                "hostname",
                "two.example");
        assertThat(table.master(5)).isEqualTo(new NodeAddress("one.example", 7000));
        assertThat(table.master(6)).isEqualTo(node(2));
        assertThat(table.nodes()).containsExactly(new NodeAddress("one.example", 7000), node(3), node(2));
    }

    /** A node that does not know its own host is at the address at which it was asked. */
    @Test
    void read_unknownHost() {
        assertThat(read(0L, 0L, "", 7003L, ID).master(0)).isEqualTo(new NodeAddress("10.0.0.1", 7003));
        assertThat(read(0L, 0L, "?", 7003L, ID).master(0)).isEqualTo(new NodeAddress("10.0.0.1", 7003));
    }

    /** A slot that no range contains has no master, nor has any slot of a range without nodes. */
    @Test
    void read_gaps() {
        SlotTable table = read(1L, 2L, 4L, 4L, "10.0.0.1", 7000L, ID);
        assertThat(table.master(0)).isNull();
        assertThat(table.master(1)).isNull();
        assertThat(table.master(4)).isEqualTo(node(1));
        assertThat(table.isEmpty()).isFalse();
        assertThat(read().isEmpty()).isTrue();
    }

    /** Anything else is no table. */
    @Test
    void read_other() {
        assertThatThrownBy(() -> read("OK")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(0L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(0L, 16384L, "10.0.0.1", 7000L, ID)).isInstanceOf(IllegalArgumentException.class);
    }
}
