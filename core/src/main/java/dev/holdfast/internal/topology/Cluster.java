package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.LockException;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.SubscriberCount;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a Redis Cluster: a table of the masters of all slots, and the connections to those that are used.
 *
 * <p>The {@linkplain SlotMasters table} changes by what the nodes say. The command that a MOVED was the reply to is sent
 * again through the table. And the whole table is {@linkplain TableLookUp looked up} after that, when a connection has
 * ended, and when the cluster says that it is down: then as often as necessary, until all masters in use are connected.
 * While the client holds locks or waits for some, it may send no command whose reply would show a change, and a master whose
 * machine has stopped ends no connection: so it looks the table up every second.
 *
 * <p>A lock whose slot has another master moves in this order, of which the first step is the change of the table:
 *
 * <ol>
 *   <li>Commands are sent to the new home, the unanswered handoffs before all others. A reply from the old home is not
 *       believed.
 *   <li>What waited for a connection to the old home is sent again.
 *   <li>Its queue listens at the new home, and the first waiter attempts.
 *   <li>Its holds are verified there, and recent releases are repeated.
 * </ol>
 *
 * <p>The last three follow after {@link #MOVES_DELAY}, together for all slots that have moved until then. Nothing relies on their order.
 */
final class Cluster extends NodeGroup {
    private static final Duration MOVES_DELAY = Duration.ofMillis(1);

    private static final Logger log = LoggerFactory.getLogger(Cluster.class);

    private final Session session;
    private final AtomicBoolean askingRefused = new AtomicBoolean();
    private final ClusterNodes nodes = new ClusterNodes(this);
    private final SlotMasters slots;
    private final TableLookUp lookUp;

    /** The home of the locks whose slot has no master: it has no connection. */
    private final RedisHome withoutMaster;

    /** That of the seed; null once it was applied. */
    private @Nullable SlotTable initial;

    /** Set by the start. */
    private volatile @Nullable FirstMaster first;

    /** The node that has answered first, of those that the user named. */
    private final NodeAddress seed;

    /** The nodes that the user named. */
    private final List<NodeAddress> seeds;

    /**
     * Creates a cluster without connections.
     *
     * @param seed the node that has answered, of those that the user named
     * @param table what that node has said, with at least one master
     */
    Cluster(Settings settings, Session session, Driver driver, NodeAddress seed, SlotTable table) {
        super(settings, session, driver);
        this.session = session;
        this.seed = seed;
        this.seeds = driver.seeds();
        this.slots = new SlotMasters(nodes::at, session::now, seed);
        this.initial = table;
        this.lookUp = new TableLookUp(this);
        RedisLink unlinked = newLink(Routing.NONE);
        unlinked.unconnected(new IOException("no node of the cluster has the slot of this lock"));
        this.withoutMaster = newHome(
                "a slot without a master", unlinked, () -> Publishing.BROADCAST, lock -> slots.of(lock.slot()) != null);
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
        apply(table, session.now());
        afterSilence(this::watch);
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

    /** Looks the table up while the client is used, and stays connected to a master. */
    void watch() {
        afterSilence(this::watch);
        if (events().holdsAny()
                || nodes.all().stream()
                        .anyMatch(node -> node.presentHome().channels().isUsed())) {
            lookUp();
        }
        stayConnected();
    }

    /** The last master that was connected may be none any more, and no lock be used that would connect another one. */
    private void stayConnected() {
        Set<MasterNode> masters = slots.all();
        if (masters.stream().noneMatch(MasterNode::isUsed)) {
            masters.stream().findAny().ifPresent(MasterNode::home);
        }
    }

    @Override
    public Home of(SynchronizerKey lock) {
        MasterNode node = slots.of(lock.slot());
        return node == null ? withoutMaster() : node.home();
    }

    private Home withoutMaster() {
        lookUp();
        return withoutMaster;
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        MasterNode node = slots.of(lock.slot());
        return node != null && node.presentHome() == home;
    }

    @Override
    public int group(LockKey lock) {
        return lock.slot();
    }

    @Override
    public Collection<RedisHome> homes() {
        return nodes.all().stream().map(MasterNode::presentHome).toList();
    }

    @Override
    public boolean isConnected() {
        return nodes.all().stream()
                .filter(node -> node.isUsed() && isMaster(node))
                .allMatch(node -> node.presentHome().isConnected());
    }

    @Override
    public List<ConnectionProblem> problems() {
        return nodes.all().stream()
                .filter(node -> node.isUsed() && isMaster(node))
                .flatMap(node -> node.presentHome().problem().stream())
                .toList();
    }

    @Override
    public boolean hasSlots() {
        return true;
    }

    @Override
    public CompletionStage<?> stop() {
        CompletionStage<?> stopped = super.stop();
        nodes.all().forEach(MasterNode::stop);
        withoutMaster.connectionWait().close();
        return stopped;
    }

    // --- For the nodes.

    /** {@return the node at this address} */
    MasterNode node(NodeAddress address) {
        return nodes.at(address);
    }

    @Override
    boolean isAt(int slot, MasterNode node) {
        return slots.of(slot) == node;
    }

    @Override
    boolean isMaster(MasterNode node) {
        return slots.isMaster(node);
    }

    @Override
    Publishing publishing(MasterNode node) {
        return node.isSharded() ? Publishing.SHARDED : Publishing.BROADCAST;
    }

    /**
     * Asks the node whether it has sharded channels: the nodes of a cluster are replaced one after the other when it is
     * upgraded. Redisson's clients choose in the same way, once for all nodes when they start.
     */
    @Override
    CompletionStage<?> confirm(MasterNode node, Consumer<Call> first) {
        CompletableFuture<@Nullable Void> known = new CompletableFuture<>();
        first.accept(SubscriberCount.ofNoShardedChannel(reply -> {
            switch (reply.outcome()) {
                case ANSWERED, REFUSED -> {
                    node.sharded(reply.outcome() == Call.Outcome.ANSWERED);
                    known.complete(null);
                }
                case NOT_EXECUTED, UNKNOWN, NOT_SENT -> {
                    Throwable why = reply.cause();
                    known.completeExceptionally(why == null ? new IOException("no answer from " + node) : why);
                }
            }
        }));
        return known;
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
     * A master that was replaced may grant locks before the new one's message reaches it. The new master sends that to all
     * nodes as soon as it is one, so the other nodes have it before.
     */
    @Override
    CompletionStage<Boolean> confirmAgain(MasterNode silent) {
        return lookUp.confirm(silent);
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

    private void moved(int slot, MasterNode by, NodeAddress to) {
        if (slots.moved(slot, by, to)) {
            publishMovesSoon();
            lookUp();
        }
    }

    /**
     * The answer to a look-up. That of a node of another cluster is ignored: the user may have named one by mistake, or it
     * may have the address by now that a node of this cluster had.
     *
     * @param askedNanos when the node was asked: at that time, the other ones that it names were masters
     * @return whether it was applied
     */
    boolean apply(SlotTable table, long askedNanos) {
        if (!slots.apply(table)) {
            return false;
        }
        publishMovesSoon();
        named(table).forEach(node -> node.link().confirmed(askedNanos));
        if (nodes.dismiss(slots) && !isClosed()) {
            session.after(ClusterNodes.KEPT_WITHOUT_SLOTS, lookUp::soon);
        }
        return true;
    }

    private void publishMovesSoon() {
        if (slots.claimPublication()) {
            session.after(MOVES_DELAY, this::publishMoves);
        }
    }

    private void publishMoves() {
        SlotMasters.Change change = slots.takeChange();
        change.left().forEach(node -> node.presentHome().connectionWait().over());
        withoutMaster.connectionWait().over();
        events().moved(lock -> change.slots().get(lock.slot()));
    }

    // --- For look-ups.

    Collection<MasterNode> nodes() {
        return nodes.all();
    }

    /** {@return whether a table names a node that the one before named, too} */
    boolean isOfThisCluster(SlotTable table) {
        return slots.isOfThisCluster(table);
    }

    /** {@return the masters that this table confirms, in the reply of another one than themselves} */
    Set<MasterNode> named(SlotTable table) {
        return slots.named(table);
    }

    Set<NodeAddress> known() {
        return slots.known();
    }

    /** {@return the nodes that the user named} A table may lack some: nodes name no replica that has no data yet. */
    List<NodeAddress> seeds() {
        return seeds;
    }

    @Override
    boolean isTroubled() {
        return nodes.all().stream()
                .anyMatch(node -> node.isUsed() && !node.link().isUp() && isMaster(node));
    }
}
