package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.Redirection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table of a cluster of which no node can be connected to. */
@Tag("pure")
final class ClusterTest {
    private static final String ID = "09dbe9720cda62f7865eabc5fd8857c5d2678366";
    private static final String OTHER_ID = "67adfe3df1058896e3cb49d2863e0f70e7e159fa";

    /** Longer than a node without slots stays connected. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final int ROUNDS = 200;

    private static final NodeAddress FIRST = Nodes.address(2);
    private static final NodeAddress SECOND = Nodes.address(3);

    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");

    @AutoClose
    private final Nodes<Cluster> nodes = new Nodes<>(
            "redis://127.0.0.1:1",
            (parts, seed) ->
                    new Cluster(parts.settings(), parts.session(), parts.driver(), seed, allSlotsAt(FIRST, ID)));

    private final Cluster cluster = nodes.group();

    private static SlotTable allSlotsAt(NodeAddress master, String id) {
        return allSlotsAt(master, id, master);
    }

    private static SlotTable allSlotsAt(NodeAddress master, String id, NodeAddress by) {
        return SlotTable.read(List.of(0L, 16383L, master.host(), (long) master.port(), id), by);
    }

    private void moveLockTo(NodeAddress to) {
        cluster.redirected(
                cluster.node(FIRST), new Redirection(Redirection.Type.MOVED, lock.slot(), to.host(), to.port()));
    }

    /**
     * A command finds that the home of its lock is down, and then the slot moves: what waits there is resumed before the
     * command does. It is resumed all the same.
     */
    @Test
    void wait_beginsAfterTheMove() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        Home down = cluster.of(lock);
        moveLockTo(SECOND);
        down.connectionWait().over();

        AtomicBoolean resumed = new AtomicBoolean();
        down.connectionWait().await(lock, () -> resumed.set(true));
        assertThat(resumed).isTrue();
    }

    /** The same for a slot that has had no master so far. */
    @Test
    void wait_beginsAfterTheSlotHasAMaster() {
        Home withoutMaster = cluster.of(lock);
        AtomicBoolean resumed = new AtomicBoolean();
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        withoutMaster.connectionWait().over();
        withoutMaster.connectionWait().await(lock, () -> resumed.set(true));
        assertThat(resumed).isTrue();
    }

    /** A lock that is still there is waited for. */
    @Test
    void wait_atItsHome() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        AtomicBoolean resumed = new AtomicBoolean();
        cluster.of(lock).connectionWait().await(lock, () -> resumed.set(true));
        assertThat(resumed).isFalse();
    }

    /** A node that is about to be forgotten, since it has had no slots for long, gets one: it is not forgotten. */
    @Test
    void move_toANodeThatIsAboutToBeForgotten() {
        SlotTable before = allSlotsAt(FIRST, ID);
        for (int i = 0; i < ROUNDS; i++) {
            cluster.node(SECOND);
            cluster.apply(before, 0);
            nodes.pass(LONG);

            CyclicBarrier together = new CyclicBarrier(2);
            CompletableFuture<?> moved = CompletableFuture.runAsync(() -> {
                await(together);
                moveLockTo(SECOND);
            });
            await(together);
            cluster.apply(before, 0);
            moved.join();

            assertThat(cluster.isAt(lock.slot(), cluster.node(SECOND))).isTrue();
            nodes.pass(LONG);
        }
    }

    /** A node that has had no slots for a while is closed: if it gets some again, it has connections of its own. */
    @Test
    void node_withoutSlots_isForgotten() {
        cluster.apply(allSlotsAt(SECOND, ID), 0);
        MasterNode master = cluster.node(SECOND);
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        assertThat(cluster.node(SECOND)).isSameAs(master);
        nodes.pass(LONG);
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        assertThat(cluster.node(SECOND)).isNotSameAs(master);
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        assertThat(master.isUsed()).isFalse();
    }

    /** A client that uses no lock is connected to one master, also after that has lost its slots. */
    @Test
    void unused_staysConnectedToOne() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        cluster.watch();
        assertThat(cluster.node(FIRST).isUsed()).isTrue();
        cluster.apply(allSlotsAt(SECOND, ID), 0);
        assertThat(cluster.node(SECOND).isUsed()).isFalse();
        cluster.watch();
        assertThat(cluster.node(SECOND).isUsed()).isTrue();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A table that names no node of this cluster is that of another one. */
    @Test
    void table_ofAnotherCluster_isIgnored() {
        assertThat(cluster.apply(allSlotsAt(FIRST, ID), 0)).isTrue();
        assertThat(cluster.apply(allSlotsAt(SECOND, OTHER_ID), 0)).isFalse();
        assertThat(cluster.isAt(lock.slot(), cluster.node(FIRST))).isTrue();
        assertThat(cluster.known()).containsExactly(FIRST);
    }

    /** A node keeps its id when its address changes. */
    @Test
    void table_ofAnotherAddress_isApplied() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        assertThat(cluster.apply(allSlotsAt(SECOND, ID), 0)).isTrue();
        assertThat(cluster.isAt(lock.slot(), cluster.node(SECOND))).isTrue();
    }

    /** A table confirms the masters that it names, but not the node that has told it: that may have been replaced. */
    @Test
    void table_confirmsOthers() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        assertThat(cluster.named(allSlotsAt(FIRST, ID, SECOND))).containsExactly(cluster.node(FIRST));
        assertThat(cluster.named(allSlotsAt(FIRST, ID, FIRST))).isEmpty();
        assertThat(cluster.named(allSlotsAt(SECOND, ID, SECOND))).isEmpty();
    }

    /** A master of which a table does not name a slot that was moved there is not confirmed by it: it may be an old one. */
    @Test
    void table_doesNotConfirmInPart() {
        cluster.apply(allSlotsAt(FIRST, ID), 0);
        moveLockTo(SECOND);
        SlotTable old = allSlotsAt(FIRST, ID, Nodes.address(4));
        cluster.apply(old, 0);
        assertThat(cluster.isAt(lock.slot(), cluster.node(SECOND))).isTrue();
        assertThat(cluster.named(old)).containsExactly(cluster.node(FIRST));
    }

    /** A node that is no master any more, or may be none, is the last one to be asked who is. */
    @Test
    void lookUp_order() {
        NodeAddress doubted = Nodes.address(4);
        NodeAddress replica = Nodes.address(5);
        NodeAddress former = Nodes.address(6);
        for (int i = 0; i < ROUNDS; i++) {
            assertThat(TableLookUp.inOrder(
                            Set.of(FIRST, doubted, replica), Set.of(former, FIRST, doubted), Set.of(doubted)))
                    .startsWith(FIRST, replica)
                    .containsExactlyInAnyOrder(FIRST, replica, doubted, former);
        }
    }

    /** A look-up that throws is followed by others. */
    @Test
    void lookUp_throws() {
        AtomicInteger asked = new AtomicInteger();
        LookUp failing = new LookUp(cluster) {
            @Override
            CompletionStage<?> ask() {
                if (asked.incrementAndGet() == 1) {
                    throw new IllegalStateException("it cannot be asked");
                }
                return CompletableFuture.completedStage(null);
            }
        };
        failing.soon();
        Patience.await().until(() -> asked.get() >= 1);
        failing.soon();
        Patience.await().until(() -> asked.get() >= 2);
    }
}
