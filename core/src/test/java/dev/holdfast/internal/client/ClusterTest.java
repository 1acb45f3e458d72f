package dev.holdfast.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeAddress;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of a cluster of which no node can be connected to. */
@Tag("pure")
final class ClusterTest {
    private static final String ID = "09dbe9720cda62f7865eabc5fd8857c5d2678366";
    private static final String OTHER_ID = "67adfe3df1058896e3cb49d2863e0f70e7e159fa";

    private static final NodeAddress FIRST = Nodes.address(2);
    private static final NodeAddress SECOND = Nodes.address(3);

    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");

    @AutoClose
    private final Nodes<Cluster> nodes = new Nodes<>(
            "redis://127.0.0.1:1",
            (parts, seed) -> new Cluster(
                    parts.settings(),
                    parts.session(),
                    parts.driver(),
                    List.of(),
                    Publishing.SHARDED,
                    null,
                    seed,
                    allSlotsAt(FIRST, ID)));

    private final Cluster cluster = nodes.group();

    private static SlotTable allSlotsAt(NodeAddress master, String id) {
        return SlotTable.read(List.of(0L, 16383L, master.host(), (long) master.port(), id), master);
    }

    /** A table that names no node of this cluster is that of another one. */
    @Test
    void table_ofAnotherCluster_isIgnored() {
        assertThat(cluster.apply(allSlotsAt(FIRST, ID))).isTrue();
        assertThat(cluster.apply(allSlotsAt(SECOND, OTHER_ID))).isFalse();
        assertThat(cluster.isAt(lock.slot(), cluster.node(FIRST))).isTrue();
        assertThat(cluster.known()).containsExactly(FIRST);
    }

    /** A node keeps its id when its address changes. */
    @Test
    void table_ofAnotherAddress_isApplied() {
        cluster.apply(allSlotsAt(FIRST, ID));
        assertThat(cluster.apply(allSlotsAt(SECOND, ID))).isTrue();
        assertThat(cluster.isAt(lock.slot(), cluster.node(SECOND))).isTrue();
    }
}
