package dev.holdfast.internal.client;

import dev.holdfast.LockException;
import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Replication;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.RedisHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a Redis Cluster: a table of the masters of all slots, and the connections to those that are used.
 *
 * <p>The table changes by what the nodes say. A MOVED is believed at once, for its slot: the command that it was the reply
 * to is sent again through the table. And the whole table is {@linkplain TableLookUp looked up} after that, when a
 * connection has ended, and when the cluster says that it is down: then as often as necessary, until all masters in use
 * are connected. While the client holds locks or waits for some, it may send no command that would tell it of a change,
 * and a master whose machine has stopped ends no connection: so it looks the table up every second. For {@link #NEWS} a
 * slot that was moved by MOVED is not moved by a look-up, since the node that is asked may not have heard of it yet.
 *
 * <p>A lock whose slot has another master moves in this order, of which the first step is the change of the table:
 *
 * <ol>
 *   <li>Commands are sent to the new home, the unanswered handoffs before all others. A reply from the old home is not
 *       believed.
 *   <li>What waited for a connection to the old home is sent again.
 *   <li>Its queue listens at the new home, and the first waiter attempts.
 *   <li>Its holds are verified there, and what was released lately is released again.
 * </ol>
 *
 * <p>The last three come a moment later, together for all slots that have moved by then. Nothing relies on their order.
 */
final class Cluster extends NodeGroup {
    private static final Duration NEWS = Duration.ofSeconds(1);

    /** How long a node without slots stays connected. */
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private static final Duration MOMENT = Duration.ofMillis(1);

    private static final Logger log = LoggerFactory.getLogger(Cluster.class);

    private final Session session;
    private final AtomicBoolean askingRefused = new AtomicBoolean();
    private final ConcurrentMap<NodeAddress, MasterNode> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable MasterNode> bySlot = new AtomicReferenceArray<>(HashSlot.COUNT);
    private final TableLookUp lookUp;

    /** The home of the locks whose slot has no master: it has no connection. */
    private final RedisHome nowhere;

    /** That of the seed; null once it was applied. */
    private @Nullable SlotTable initial;

    /** Set by the start. */
    private volatile @Nullable FirstMaster first;

    /** The node that has answered first, of those that the user named. */
    private final NodeAddress seed;

    /** The nodes that the user named. */
    private final List<NodeAddress> seeds;

    /** All nodes that were known when the table was last looked up. */
    private volatile Set<NodeAddress> known;

    // All below is guarded by this.

    /** The slots that have moved and whose locks have not been told yet, and the nodes that had them. */
    private BitSet changed = new BitSet();

    private Set<MasterNode> left = new HashSet<>();

    /** The ids of all nodes that were known when the table was last looked up. */
    private Set<String> ids = Set.of();

    /** When a slot was last moved by MOVED, if that was lately. */
    private final Map<Integer, Long> movedNanos = new HashMap<>();

    /** When a node was first found to have no slots. */
    private final Map<MasterNode, Long> slotlessNanos = new HashMap<>();

    /**
     * Creates a cluster without connections.
     *
     * @param seed the node that has answered, of those that the user named
     * @param table what that node has said, with at least one master
     */
    Cluster(
            Settings settings,
            Session session,
            Driver driver,
            List<Script> scripts,
            Publishing publishing,
            @Nullable Replication replication,
            NodeAddress seed,
            SlotTable table) {
        super(settings, session, driver, scripts, publishing, replication);
        this.session = session;
        this.seed = seed;
        this.seeds = driver.seeds();
        this.known = Set.of(seed);
        this.initial = table;
        this.lookUp = new TableLookUp(this);
        RedisLink unlinked = newLink(Routing.NONE);
        unlinked.unconnected(new IOException("no node of the cluster has the slot of this lock"));
        this.nowhere = newHome(unlinked, lock -> bySlot.get(lock.slot()) != null);
    }

    // --- For the client.

    /** {@return completes when a master is connected, which shows that the addresses announced can be reached} */
    @Override
    public CompletionStage<?> start(Events listeners) {
        SlotTable table = initial;
        if (table == null) {
            throw new IllegalStateException("a cluster is started once");
        }
        initial = null;
        begin(listeners);
        apply(table);
        afterSilence(this::watchWhileUsed);
        FirstMaster connecting = new FirstMaster(this, seedFirst(table.masters()));
        first = connecting;
        return connecting.connect();
    }

    /** {@return the same masters, the seed first if it is one of them: it is up} */
    private List<NodeAddress> seedFirst(List<NodeAddress> masters) {
        return Stream.concat(masters.stream().filter(seed::equals), masters.stream())
                .distinct()
                .toList();
    }

    /** {@return the exception for a client that could not be opened} */
    LockException cannotOpen(Throwable why) {
        FirstMaster connecting = first;
        if (connecting == null) {
            throw new IllegalStateException("a cluster is opened when it is started");
        }
        return connecting.cannotConnect(why);
    }

    private void watchWhileUsed() {
        if (events().holdsAny()
                || nodes.values().stream()
                        .anyMatch(node -> node.homeAsIs().channels().isUsed())) {
            lookUp();
        }
        afterSilence(this::watchWhileUsed);
    }

    @Override
    public Home of(LockKey lock) {
        MasterNode node = bySlot.get(lock.slot());
        return node == null ? nowhere() : node.home();
    }

    private Home nowhere() {
        lookUp();
        return nowhere;
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        MasterNode node = bySlot.get(lock.slot());
        return node != null && node.homeAsIs() == home;
    }

    @Override
    public int group(LockKey lock) {
        return lock.slot();
    }

    @Override
    public Collection<RedisHome> homes() {
        return nodes.values().stream().map(MasterNode::homeAsIs).toList();
    }

    @Override
    public boolean isConnected() {
        return nodes.values().stream()
                .filter(node -> node.isUsed() && isMaster(node))
                .allMatch(node -> node.homeAsIs().isConnected());
    }

    @Override
    public CompletionStage<?> stop() {
        nodes.values().forEach(MasterNode::stop);
        nowhere.connectionWait().close();
        return super.stop();
    }

    // --- For the nodes.

    /** {@return the node at this address} */
    MasterNode node(NodeAddress address) {
        return nodes.computeIfAbsent(address, at -> new MasterNode(at, this));
    }

    @Override
    boolean isAt(int slot, MasterNode node) {
        return bySlot.get(slot) == node;
    }

    @Override
    boolean isMaster(MasterNode node) {
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            if (bySlot.get(slot) == node) {
                return true;
            }
        }
        return false;
    }

    @Override
    void lookUp() {
        lookUp.soon();
    }

    @Override
    void redirected(MasterNode by, Redirection redirection) {
        if (redirection.type() == Redirection.Type.MOVED) {
            moved(redirection.slot(), by, redirection.to(by.address()));
        }
    }

    @Override
    RedisLink toAsk(MasterNode by, Redirection ask) {
        MasterNode other = node(ask.to(by.address()));
        other.home();
        return other.link();
    }

    /**
     * A master that was replaced may grant locks before it learns of that. The other nodes have heard it from the new
     * master by then, which tells all of them as soon as it is one.
     */
    @Override
    CompletionStage<?> confirmAgain(MasterNode silent) {
        return lookUp.askOtherThan(silent.address());
    }

    @Override
    LockException cannotConnect(NodeAddress node, Throwable failure) {
        String why = why(node, failure);
        return new LockException(
                "cannot connect to Redis at " + node + ", which the cluster announces: " + why + FirstMaster.hint(why),
                failure);
    }

    /** {@return why a connect to this node failed} */
    String why(NodeAddress node, Throwable failure) {
        return Opening.why(driver().uriOf(node), failure);
    }

    @Override
    void askingRefused(MasterNode by, String error) {
        if (!askingRefused.getAndSet(true)) {
            log.warn(
                    "A free lock whose slot is being moved waits for the end of that, since Redis at {} does not allow"
                            + " the command ASKING; that needs the right +asking: {}",
                    by,
                    error);
        }
    }

    // --- Changes of the table.

    /** A node has said that this slot is at another one. It is believed if it is the node that was thought to have it. */
    private void moved(int slot, MasterNode by, NodeAddress to) {
        if (slot >= HashSlot.COUNT || !isAt(slot, by)) {
            return;
        }
        boolean news;
        synchronized (this) {
            movedNanos.put(slot, session.now());
            news = set(slot, node(to));
        }
        tellSoon(news);
        lookUp();
    }

    /**
     * The answer to a look-up. That of a node of another cluster is ignored: the user may have named one by mistake, or it
     * may have the address by now that a node of this cluster had.
     *
     * @return whether it was applied
     */
    boolean apply(SlotTable table) {
        boolean news = false;
        synchronized (this) {
            if (!isOfThisCluster(table)) {
                return false;
            }
            long now = session.now();
            movedNanos.values().removeIf(moved -> now - moved > NEWS.toNanos());
            for (int slot = 0; slot < HashSlot.COUNT; slot++) {
                NodeAddress master = table.master(slot);
                if (master != null && !movedNanos.containsKey(slot)) {
                    news |= set(slot, node(master));
                }
            }
            if (!table.nodes().isEmpty()) {
                known = Set.copyOf(table.nodes());
                ids = Set.copyOf(table.ids());
            }
        }
        tellSoon(news);
        dismiss();
        return true;
    }

    /** {@return whether a table names a node that the one before named, too} Nodes keep their ids. */
    synchronized boolean isOfThisCluster(SlotTable table) {
        return ids.isEmpty() || table.ids().isEmpty() || !Collections.disjoint(ids, table.ids());
    }

    /** Under the monitor. {@return whether a change is to be told that was not before} */
    private boolean set(int slot, MasterNode node) {
        MasterNode before = bySlot.getAndSet(slot, node);
        boolean news = before != node && changed.isEmpty();
        if (before != node) {
            changed.set(slot);
        }
        if (before != node && before != null) {
            left.add(before);
        }
        return news;
    }

    private void tellSoon(boolean news) {
        if (news) {
            session.after(MOMENT, this::tellMoved);
        }
    }

    private void tellMoved() {
        BitSet slots;
        Set<MasterNode> before;
        synchronized (this) {
            slots = changed;
            before = left;
            changed = new BitSet();
            left = new HashSet<>();
        }
        before.forEach(node -> node.homeAsIs().connectionWait().over());
        nowhere.connectionWait().over();
        events().moved(lock -> slots.get(lock.slot()));
    }

    /** Closes the nodes that have had no slots for a while, and nothing left to do. */
    private void dismiss() {
        Set<MasterNode> masters = new HashSet<>();
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            MasterNode node = bySlot.get(slot);
            if (node != null) {
                masters.add(node);
            }
        }
        boolean later = false;
        for (MasterNode node : nodes.values()) {
            if (masters.contains(node)) {
                forgetSlotless(node);
            } else if (isDue(node) && !node.isNeeded() && remove(node)) {
                node.close();
            } else {
                later = true;
            }
        }
        if (later && !isClosed()) {
            session.after(FAREWELL, lookUp::soon);
        }
    }

    private synchronized void forgetSlotless(MasterNode node) {
        slotlessNanos.remove(node);
    }

    /** {@return whether it was removed; not if it has been given slots meanwhile} */
    private synchronized boolean remove(MasterNode slotless) {
        if (isMaster(slotless)) {
            return false;
        }
        slotlessNanos.remove(slotless);
        return nodes.remove(slotless.address(), slotless);
    }

    private synchronized boolean isDue(MasterNode node) {
        long now = session.now();
        return now - slotlessNanos.computeIfAbsent(node, first -> now) >= FAREWELL.toNanos();
    }

    // --- For look-ups.

    Collection<MasterNode> nodes() {
        return nodes.values();
    }

    Set<NodeAddress> known() {
        return known;
    }

    /** {@return the nodes that the user named} A table may lack some: nodes name no replica that has no data yet. */
    List<NodeAddress> seeds() {
        return seeds;
    }

    @Override
    boolean isTroubled() {
        return nodes.values().stream()
                .anyMatch(node -> node.isUsed() && !node.link().isUp() && isMaster(node));
    }
}
