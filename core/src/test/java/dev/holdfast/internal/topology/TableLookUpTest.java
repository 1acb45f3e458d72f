package dev.holdfast.internal.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.FaultyRedis;
import dev.holdfast.internal.redis.NodeAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The connections over which nodes are asked for the table of their cluster. */
@Tag("fault")
final class TableLookUpTest {
    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final NodeAddress node = new NodeAddress("127.0.0.1", faulty.proxy().port());

    private final SlotTable table = SlotTable.read(List.of(0L, 16383L, node.host(), (long) node.port(), "id"), node);

    @AutoClose
    private final Nodes<Cluster> nodes = new Nodes<>(
            "redis://127.0.0.1:1",
            (parts, seed) -> new Cluster(parts.settings(), parts.session(), parts.driver(), seed, table));

    /** A connection for one question is closed when there is no reply to it. */
    @Test
    void ask_noReply_connectionIsClosed() {
        nodes.group().apply(table, 0);
        faulty.proxy().swallowReplyTo("CLUSTER");

        assertThat(get(new TableLookUp(nodes.group()).ask().toCompletableFuture()))
                .isEqualTo(Optional.empty());

        eventually(() -> faulty.proxy().lostReplies() == 1);
        eventually(() -> faulty.proxy().connections().isEmpty());
    }
}
