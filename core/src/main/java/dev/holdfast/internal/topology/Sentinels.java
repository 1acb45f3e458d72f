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
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The master of which sentinels know the address. It has all locks.
 *
 * <pre>
 *                 most sentinels name an address                 the server says that it is a master,
 *                                                               and most sentinels still name it
 *   NO MASTER --------------------------------> MASTER, NOT UP --------------------------------------> UP
 *     ^                                             |    ^                                              |
 *     |                                             |    +-------- the connection ends -----------------+
 *     +---- a sentinel reports that it was replaced-+---------------------------------------------------+
 *
 *   MASTER, NOT UP, or UP: most sentinels name another address ---> that one is MASTER, NOT UP
 * </pre>
 *
 * <p>Each master is a {@link MasterNode} with connections of its own, for one address. A node that was replaced is
 * deposed at once: its calls in flight are settled as unknown, and what it has replied since is not believed. Sentinels
 * convert it to a replica only seconds later, and until then it accepts writes. Nor is any connection used without the
 * sentinels: the server at an address may have been replaced while the client was not connected to it, and be back as a
 * master that no sentinel has reached yet. So each epoch begins with two questions, to the server and to the sentinels,
 * and accepts no calls as long as most sentinels do not answer.
 *
 * <p>The {@linkplain MasterLookUp look-up} asks the sentinels when one reports a failover, when a subscription to such
 * reports is confirmed, when the connection to the master ends and when that does not execute a command; then as often as
 * necessary, until the master is up. The address that a report says was {@linkplain ReplacedMasters replaced} is not
 * believed, since most sentinels may not have the message of the failover yet.
 */
final class Sentinels extends NodeGroup {
    /** How often it is checked whether a deposed node can be closed. */
    private static final Duration DISMISSAL_CHECK = Duration.ofSeconds(2);

    private final String name;
    private final List<Sentinel> sentinels;
    private final Duration firstAnswer;
    private final MasterLookUp lookUp;

    /** The home of all locks while no master is known: it has no connection. */
    private final RedisHome withoutMaster;

    private final ReplacedMasters replaced = new ReplacedMasters();

    /** All nodes that are not closed yet. */
    private final Set<MasterNode> nodes = ConcurrentHashMap.newKeySet();

    /** Written under the monitor. */
    private volatile @Nullable MasterNode master;

    /** Why the server that the sentinels name does not accept calls yet. */
    private volatile @Nullable Throwable unconfirmed;

    // All below is guarded by this.

    /** The latest master, while there is none. */
    private @Nullable MasterNode former;

    /** Creates a topology without connections. */
    Sentinels(Settings settings, Session session, Driver driver) {
        super(settings, session, driver);
        RedisURI uri = settings.redisUri();
        this.name = uri.getSentinelMasterId();
        this.sentinels = uri.getSentinels().stream()
                .map(sentinel -> new Sentinel(driver.uriOfSentinel(sentinel), this))
                .toList();
        this.firstAnswer = settings.connectTimeout().dividedBy(2);
        this.lookUp = new MasterLookUp(this, name);
        RedisLink unlinked = newLink(Routing.NONE);
        unlinked.unconnected(new IOException("no master '" + name + "' is known from its sentinels"));
        this.withoutMaster =
                newHome("the master '" + name + "'", unlinked, () -> Publishing.SINGLE, lock -> master != null);
    }

    // --- For the client.

    /** {@return completes when the master is connected, and confirmed} */
    @Override
    public CompletionStage<?> start(Events listeners) {
        begin(listeners);
        sentinels.forEach(Sentinel::open);
        return lookUp.elect(firstAnswer).thenAccept(this::apply).thenCompose(applied -> firstAttempt());
    }

    /** {@return completes with the first attempt to connect to the master} A look-up may have begun it before. */
    private CompletionStage<?> firstAttempt() {
        MasterNode node = master;
        return node == null ? CompletableFuture.completedStage(null) : node.firstAttempt();
    }

    /** {@return the exception for a client that could not be opened} */
    LockException cannotOpen(Throwable why) {
        MasterNode named = master;
        if (named == null) {
            return new LockException(
                    "no answer from the sentinels of master '" + name + "': " + Opening.reason(why), why);
        }
        return cannotConnect(named.address(), why);
    }

    @Override
    LockException cannotConnect(NodeAddress node, Throwable failure) {
        Throwable known = unconfirmed;
        return new LockException(
                "cannot use Redis at " + node + ", which the sentinels name as master '" + name + "': "
                        + (known == null ? Opening.why(driver().uriOf(node), failure) : Opening.reason(known)),
                failure);
    }

    @Override
    public Home of(SynchronizerKey lock) {
        MasterNode node = master;
        if (node == null) {
            lookUp();
            return withoutMaster;
        }
        return node.home();
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        MasterNode node = master;
        return node != null && node.presentHome() == home;
    }

    @Override
    public Collection<RedisHome> homes() {
        return nodes.stream().map(MasterNode::presentHome).toList();
    }

    @Override
    public boolean isConnected() {
        MasterNode node = master;
        return node != null && node.presentHome().isConnected();
    }

    @Override
    public List<ConnectionProblem> problems() {
        MasterNode node = master;
        return (node == null ? withoutMaster : node.presentHome())
                .problem().stream().toList();
    }

    @Override
    public CompletionStage<?> stop() {
        super.stop();
        nodes.forEach(MasterNode::stop);
        withoutMaster.connectionWait().close();
        return CompletableFuture.allOf(sentinels.stream()
                .map(sentinel -> sentinel.close().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    // --- For the node.

    @Override
    Publishing publishing(MasterNode node) {
        return Publishing.SINGLE;
    }

    @Override
    boolean isMaster(MasterNode node) {
        return master == node;
    }

    @Override
    boolean isAt(int slot, MasterNode node) {
        return master == node;
    }

    @Override
    void lookUp() {
        lookUp.soon();
    }

    @Override
    boolean isTroubled() {
        MasterNode node = master;
        return node == null || !node.link().isUp();
    }

    @Override
    CompletionStage<?> confirm(MasterNode node, Consumer<Call> first) {
        CompletableFuture<Boolean> isMaster = new CompletableFuture<>();
        first.accept(Call.of(CommandType.ROLE, reply -> settle(isMaster, node, reply)));
        return isMaster.thenCompose(yes -> elect(node))
                .thenAccept(named -> require(node, named))
                .whenComplete((confirmed, failure) -> unconfirmed = failure == null ? null : cause(failure));
    }

    /** A master that was replaced accepts writes until a sentinel has reached it: it does not say so by itself. */
    @Override
    CompletionStage<Boolean> confirmAgain(MasterNode silent) {
        return elect(silent).thenApply(named -> {
            apply(named);
            return named.equals(silent.address()) && isMaster(silent);
        });
    }

    /** {@return the address that most sentinels name} If it is that of this node, which is the master, it is in no doubt. */
    private CompletionStage<NodeAddress> elect(MasterNode node) {
        long askedNanos = session().now();
        return lookUp.elect(LookUp.LONGEST).thenApply(named -> {
            if (named.equals(node.address()) && isMaster(node)) {
                node.link().confirmed(askedNanos);
            }
            return named;
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }

    private static void settle(CompletableFuture<Boolean> isMaster, MasterNode node, Call reply) {
        Throwable why = reply.cause();
        switch (reply.outcome()) {
            case ANSWERED -> {
                if (reply.elements().get(0).equals("master")) {
                    isMaster.complete(true);
                } else {
                    isMaster.completeExceptionally(new LockException(node + " is a replica", null));
                }
            }
            case REFUSED ->
                isMaster.completeExceptionally(new LockException(
                        node + " does not say whether it is a master, which needs the right +role: " + reply.error(),
                        null));
            case NOT_EXECUTED, UNKNOWN, NOT_SENT ->
                isMaster.completeExceptionally(why == null ? new IOException("no answer from " + node) : why);
        }
    }

    /** The address that most sentinels name may be another one by now. */
    private void require(MasterNode node, NodeAddress named) {
        if (!named.equals(node.address()) || !isMaster(node) || !replaced.elects(named)) {
            lookUp();
            throw new LockException("the sentinels name another master than " + node, null);
        }
    }

    // --- For the sentinels.

    List<Sentinel> sentinels() {
        return sentinels;
    }

    ReplacedMasters replaced() {
        return replaced;
    }

    /** A sentinel reports that a master is at another address. */
    void switched(Sentinel by, String ofMaster, NodeAddress from, NodeAddress to) {
        if (!ofMaster.equals(name) || isClosed()) {
            return;
        }
        MasterNode present = master;
        if (present == null) {
            replaced.reported(by, from, to);
        } else if (present.address().equals(from)) {
            replaced.reported(by, from, to);
            replace(present, null);
        }
        lookUp();
    }

    /**
     * Most sentinels name this address. If another node is the master so far, the one there is opened, which is not awaited:
     * it may never be up, and another one may be named next.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // an attempt to open it that fails is followed by another one
    void apply(NodeAddress named) {
        MasterNode present = master;
        boolean known = present != null && present.address().equals(named);
        if (isClosed() || !replaced.elects(named) || known) {
            return;
        }
        MasterNode next = new MasterNode(named, this);
        if (replace(present, next)) {
            next.use();
        }
    }

    /**
     * Makes a node the master in place of another. The order matters: what is resumed, or reacts to the end of a call, is
     * sent to the new one.
     *
     * @param next null if it is not known yet
     * @return whether it was replaced; otherwise another thread was faster
     */
    private boolean replace(@Nullable MasterNode present, @Nullable MasterNode next) {
        MasterNode before;
        synchronized (this) {
            if (master != present) {
                return false;
            }
            if (next != null) {
                nodes.add(next);
            }
            before = present == null ? former : present;
            former = next == null ? before : null;
            master = next;
        }
        Throwable why = new IOException("the sentinels have replaced the master at " + before);
        if (next != null && before != null) {
            next.presentHome().replaces(before.presentHome(), why);
        }
        if (present != null) {
            depose(present, why);
        }
        if (next != null) {
            withoutMaster.connectionWait().over();
        }
        if (present != null) {
            present.presentHome().connectionWait().over();
        }
        events().moved(lock -> true);
        if (present != null) {
            dismiss(present);
        }
        return true;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is closed with the driver
    private static void depose(MasterNode node, Throwable why) {
        node.depose(why);
    }

    /** Closes a deposed node once nobody listens there any more. */
    @SuppressWarnings("FutureReturnValueIgnored") // as above
    private void dismiss(MasterNode node) {
        if (isClosed()) {
            return;
        }
        if (node.isNeeded()) {
            session().after(DISMISSAL_CHECK, () -> dismiss(node));
        } else {
            nodes.remove(node);
            node.close();
        }
    }
}
