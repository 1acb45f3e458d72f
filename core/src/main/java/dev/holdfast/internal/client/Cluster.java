package dev.holdfast.internal.client;

import dev.holdfast.internal.kind.HashSlot;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.redis.Silence;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.RedisHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.pubsub.ChannelKind;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a Redis Cluster: a table of the masters of all slots, and the connections to those that are used.
 *
 * <p>The table changes by what the nodes say. A MOVED is believed at once, for its slot: the command that it was the reply
 * to is sent again through the table. And the whole table is {@linkplain TableLookUp looked up} after that, when a
 * connection has ended, and when the cluster says that it is down: then as often as necessary, until all masters in use
 * are connected. For {@link #NEWS} a slot that was moved by MOVED is not moved by a look-up, since the node that is asked
 * may not have heard of it yet.
 *
 * <p>A lock whose slot has another master moves in this order, of which the first step is the change of the table:
 *
 * <ol>
 *   <li>Commands are sent to the new home, the unanswered handoffs before all others. A reply from the old home is not
 *       believed.
 *   <li>Its queue listens at the new home, and the first waiter attempts.
 *   <li>Its holds are verified there.
 *   <li>What waited for a connection to the old home is sent again.
 * </ol>
 *
 * <p>The last three come a moment later, together for all slots that have moved by then. Nothing relies on their order.
 */
final class Cluster implements Topology {
    private static final Duration NEWS = Duration.ofSeconds(1);

    /** How long a node without slots stays connected. */
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    /** A master that is silent for no longer than this is not replaced: other nodes need longer to agree that it fails. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final Duration MOMENT = Duration.ofMillis(1);

    private final Settings settings;
    private final Session session;
    private final Driver driver;
    private final List<Script> scripts;
    private final Publishing publishing;
    private final AtomicLong epochs = new AtomicLong();
    private final ConcurrentMap<NodeAddress, ClusterNode> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable ClusterNode> bySlot = new AtomicReferenceArray<>(HashSlot.COUNT);
    private final TableLookUp lookUp;

    /** The home of the locks whose slot has no master: it has no connection. */
    private final RedisHome nowhere;

    /** Set before any node is created. */
    private volatile @Nullable Events events;

    /** That of the seed; null once it was applied. */
    private @Nullable SlotTable initial;

    /** All nodes that were known when the table was last looked up. */
    private volatile Set<NodeAddress> known;

    // All below is guarded by this.

    /** The slots that have moved and whose locks have not been told yet, and the nodes that had them. */
    private BitSet changed = new BitSet();

    private Set<ClusterNode> left = new HashSet<>();

    /** When a slot was last moved by MOVED, if that was lately. */
    private final Map<Integer, Long> movedNanos = new HashMap<>();

    /** When a node was first found to have no slots. */
    private final Map<ClusterNode, Long> slotlessNanos = new HashMap<>();

    private volatile boolean closed;

    /**
     * Creates a cluster without connections.
     *
     * @param seed the node that the user named
     * @param table what that node has said, with at least one master
     */
    Cluster(
            Settings settings,
            Session session,
            Driver driver,
            List<Script> scripts,
            Publishing publishing,
            NodeAddress seed,
            SlotTable table) {
        this.settings = settings;
        this.session = session;
        this.driver = driver;
        this.scripts = scripts;
        this.publishing = publishing;
        this.known = Set.of(seed);
        this.initial = table;
        this.lookUp = new TableLookUp(this, session);
        this.nowhere = newHome(newLink(Routing.NONE));
    }

    // --- For the client.

    /** {@return completes when the first master is connected, which shows that the addresses announced can be reached} */
    @Override
    public CompletionStage<?> start(Events listeners) {
        SlotTable table = initial;
        if (table == null) {
            throw new IllegalStateException("a cluster is started once");
        }
        initial = null;
        events = listeners;
        apply(table);
        return node(table.anyMaster()).use();
    }

    @Override
    public Home of(LockKey lock) {
        ClusterNode node = bySlot.get(lock.slot());
        return node == null ? nowhere() : node.home();
    }

    private Home nowhere() {
        lookUp();
        return nowhere;
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        ClusterNode node = bySlot.get(lock.slot());
        return node != null && node.homeAsIs() == home;
    }

    @Override
    public int group(LockKey lock) {
        return lock.slot();
    }

    @Override
    public Collection<RedisHome> homes() {
        return nodes.values().stream().map(ClusterNode::homeAsIs).toList();
    }

    @Override
    public boolean isConnected() {
        return nodes.values().stream()
                .filter(node -> node.isUsed() && hasSlots(node))
                .allMatch(node -> node.homeAsIs().isConnected());
    }

    @Override
    public void stop() {
        closed = true;
        nodes.values().forEach(ClusterNode::stop);
        nowhere.connectionWait().close();
    }

    // --- For the nodes.

    Driver driver() {
        return driver;
    }

    Events events() {
        Events known = events;
        if (known == null) {
            throw new IllegalStateException("a cluster is started before it has nodes");
        }
        return known;
    }

    ChannelKind channelKind() {
        return publishing == Publishing.SHARDED ? ChannelKind.SHARDED : ChannelKind.PLAIN;
    }

    RedisLink newLink(Routing routing) {
        return new RedisLink(scripts, session.deadlines(), settings.commandTimeout(), epochs, routing);
    }

    RedisHome newHome(RedisLink link) {
        return new RedisHome(session, link, driver.unconnected(), publishing);
    }

    /** {@return the node at this address} */
    ClusterNode node(NodeAddress address) {
        return nodes.computeIfAbsent(address, at -> new ClusterNode(at, this));
    }

    boolean isAt(int slot, ClusterNode node) {
        return bySlot.get(slot) == node;
    }

    boolean hasSlots(ClusterNode node) {
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            if (bySlot.get(slot) == node) {
                return true;
            }
        }
        return false;
    }

    /** Runs the task on another thread. */
    void soon(Runnable task) {
        session.after(Duration.ZERO, task);
    }

    Silence newSilence() {
        return new Silence(session::now, Math.min(SILENCE.toNanos(), session.commandTimeoutNanos() / 3));
    }

    void afterReconnectDelay(Runnable task) {
        after(settings.reconnectDelay(), task);
    }

    /** Runs it when a node that was heard last now can have been replaced. */
    void afterSilence(Runnable task) {
        after(SILENCE, task);
    }

    private void after(Duration delay, Runnable task) {
        if (!closed) {
            session.after(delay, () -> {
                if (!closed) {
                    task.run();
                }
            });
        }
    }

    /** Something is wrong with the table, or with a node. */
    void lookUp() {
        lookUp.soon();
    }

    // --- Changes of the table.

    /** A node has said that this slot is at another one. It is believed if it is the node that was thought to have it. */
    void moved(int slot, ClusterNode by, NodeAddress to) {
        if (slot >= HashSlot.COUNT || !isAt(slot, by)) {
            return;
        }
        ClusterNode node = node(to);
        boolean news;
        synchronized (this) {
            movedNanos.put(slot, session.now());
            news = set(slot, node);
        }
        tellSoon(news);
        lookUp();
    }

    /** The answer to a look-up. */
    void apply(SlotTable table) {
        boolean news = false;
        synchronized (this) {
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
            }
        }
        tellSoon(news);
        dismiss();
    }

    /** Under the monitor. {@return whether a change is to be told that was not before} */
    private boolean set(int slot, ClusterNode node) {
        ClusterNode before = bySlot.getAndSet(slot, node);
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
        Set<ClusterNode> before;
        synchronized (this) {
            slots = changed;
            before = left;
            changed = new BitSet();
            left = new HashSet<>();
        }
        events().moved(lock -> slots.get(lock.slot()));
        before.forEach(node -> node.homeAsIs().connectionWait().over());
        nowhere.connectionWait().over();
    }

    /** Closes the nodes that have had no slots for a while, and nothing left to do. */
    private void dismiss() {
        Set<ClusterNode> masters = new HashSet<>();
        for (int slot = 0; slot < HashSlot.COUNT; slot++) {
            ClusterNode node = bySlot.get(slot);
            if (node != null) {
                masters.add(node);
            }
        }
        boolean later = false;
        for (ClusterNode node : nodes.values()) {
            if (masters.contains(node)) {
                forgetSlotless(node);
            } else if (isDue(node) && !node.isNeeded()) {
                nodes.remove(node.address(), node);
                forgetSlotless(node);
                node.close();
            } else {
                later = true;
            }
        }
        if (later && !closed) {
            session.after(FAREWELL, lookUp::soon);
        }
    }

    private synchronized void forgetSlotless(ClusterNode node) {
        slotlessNanos.remove(node);
    }

    private synchronized boolean isDue(ClusterNode node) {
        long now = session.now();
        return now - slotlessNanos.computeIfAbsent(node, first -> now) >= FAREWELL.toNanos();
    }

    // --- For look-ups.

    boolean isClosed() {
        return closed;
    }

    Collection<ClusterNode> nodes() {
        return nodes.values();
    }

    Set<NodeAddress> known() {
        return known;
    }

    /** {@return whether a master that is in use is not connected} Then another one may take its place. */
    boolean isTroubled() {
        return nodes.values().stream()
                .anyMatch(node -> node.isUsed() && !node.link().isUp() && hasSlots(node));
    }
}
