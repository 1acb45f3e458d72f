package dev.holdfast.internal.topology;

import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NodeAddress;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.Silence;
import dev.holdfast.pubsub.ChannelKind;
import dev.holdfast.pubsub.Subscriptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that is the master of some locks of a {@link NodeGroup}, or was. Its two connections are opened when such a lock
 * is first used.
 *
 * <pre>
 *            first use            both connected
 *   UNUSED -----------> OPENING ------------------> OPEN: the driver reconnects
 *      ^                 | ^ |                        |
 *      |   failed, while | | |                        |
 *      |     it is master+-+ |                        |
 *      |     (a pause)       |                        |
 *      +-- failed, no -------+                        |
 *          master any more   |                        |
 *                            +--- close, depose ------+---> CLOSED
 * </pre>
 *
 * <p>The home exists in every state; calls that are sent before OPEN are not sent, and wait for the connection.
 *
 * @see "ClusterTest, SentinelsTest, SilentMasterTest"
 */
final class MasterNode implements Routing {
    private static final Logger log = LoggerFactory.getLogger(MasterNode.class);

    /** How long the replies of others are awaited, which may hang as well, before a reply of this node is not to be confirmed by them. */
    private static final Duration CONFIRMATION_TIMEOUT = LookUp.LONGEST.multipliedBy(2);

    private enum State {
        UNUSED,
        OPENING,
        OPEN,
        CLOSED
    }

    private final NodeAddress address;
    private final NodeGroup group;
    private final RedisLink link;
    private final RedisHome home;
    private final RedisLink.Listener listener;
    private final AtomicReference<State> state = new AtomicReference<>(State.UNUSED);

    private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();

    /** Whether this node is still the master. */
    private final SharedQuestion others = new SharedQuestion(this::askOthers);

    /** When it was first found to have no slots; null while it has some. */
    private final AtomicReference<@Nullable Long> slotlessSince = new AtomicReference<>();

    /** The link's connection, once it is connected. */
    private volatile @Nullable NodeConnection connection;

    /** Whether the subscriptions are connected; used by one attempt to open at a time. */
    private volatile boolean subscribes;

    /** Whether channels are sharded; written on the I/O thread, before a new connection of the link accepts calls. */
    private volatile boolean sharded;

    /** Whether the server is known to have subscriptions; used by one attempt to open at a time. */
    private volatile boolean probed;

    MasterNode(NodeAddress address, NodeGroup group) {
        this.address = address;
        this.group = group;
        this.link = group.newLink(this);
        this.home = group.newHome(
                address.toString(),
                link,
                () -> group.publishing(this),
                lock -> link.isUp() || !group.isAt(lock.slot(), this));
        this.listener = new Watched(group.events().of(home));
    }

    NodeAddress address() {
        return address;
    }

    /**
     * {@return the home of the locks of this node, which is opened if it was not used before} That begins on another
     * thread, since the caller may hold any monitor.
     */
    RedisHome home() {
        if (beginsToOpen()) {
            group.soon(this::openAgain);
        }
        return home;
    }

    /** {@return the home, whether it is used or not} */
    RedisHome presentHome() {
        return home;
    }

    RedisLink link() {
        return link;
    }

    /** {@return whether it is to be connected} */
    boolean isUsed() {
        State now = state.get();
        return now == State.OPENING || now == State.OPEN;
    }

    /** {@return the connection to send queries on; null if there is none that works} */
    @Nullable
    NodeConnection connection() {
        return link.isUp() ? connection : null;
    }

    /**
     * Opens the connections, unless that was begun before. An attempt that fails is followed by another one.
     *
     * @return completes with the first attempt
     */
    CompletionStage<Boolean> use() {
        return beginsToOpen() ? open() : CompletableFuture.completedStage(true);
    }

    private boolean beginsToOpen() {
        if (state.get() != State.UNUSED) {
            return false;
        }
        link.wanted(); // before any other thread takes it for one that is being opened
        return state.compareAndSet(State.UNUSED, State.OPENING);
    }

    /** {@return completes with the first attempt to open the connections, by any caller} */
    CompletionStage<Boolean> firstAttempt() {
        return firstAttempt.minimalCompletionStage();
    }

    private CompletionStage<Boolean> open() {
        group.afterSilence(this::stillOpening);
        CompletionStage<Boolean> commands = connection == null
                ? group.driver().connect(address).thenCompose(this::start)
                : CompletableFuture.completedStage(true);
        return commands.thenCompose(up -> up ? subscribe() : CompletableFuture.completedStage(false))
                .whenComplete((up, failure) -> opened(failure));
    }

    /** A node that accepts a connection and does not answer may have been replaced as the master. */
    private void stillOpening() {
        if (state.get() == State.OPENING) {
            group.lookUp();
        }
    }

    /** When the link is up, it is known of which kind the channels are. */
    private CompletionStage<Boolean> subscribe() {
        CompletionStage<Boolean> subscriptions = subscribes
                ? CompletableFuture.completedStage(true)
                : group.driver().open(home.channels(), address, channelKind()).thenApply(this::subscribed);
        return probed ? subscriptions : subscriptions.thenCompose(this::probe);
    }

    /** {@return completes with whether the subscriptions are used} */
    private CompletionStage<Boolean> probe(boolean used) {
        if (!used) {
            return CompletableFuture.completedStage(false);
        }
        return group.driver()
                .probe(home.channels(), address.toString(), group.unusedChannel(this))
                .thenApply(known -> {
                    probed = true;
                    return true;
                });
    }

    private boolean subscribed(boolean used) {
        subscribes = true;
        return used;
    }

    /** {@return completes with whether the link is up} */
    private CompletionStage<Boolean> start(NodeConnection made) {
        connection = made;
        if (state.get() == State.CLOSED) {
            return made.closeAsync().thenApply(closed -> false);
        }
        CompletionStage<Boolean> up = made.start(link, listener).thenApply(began -> true);
        return state.get() == State.CLOSED ? link.closeAsync().thenApply(closed -> false) : up;
    }

    private void opened(@Nullable Throwable failure) {
        if (failure == null) {
            state.compareAndSet(State.OPENING, State.OPEN);
            firstAttempt.complete(true);
            return;
        }
        firstAttempt.completeExceptionally(failure);
        log.debug("cannot connect to {}", address, failure);
        home.unreachable(group.cannotConnect(address, failure));
        group.lookUp();
        if (group.isMaster(this)) {
            group.afterReconnectDelay(this::openAgain);
        } else {
            state.compareAndSet(State.OPENING, State.UNUSED);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is followed by another attempt
    private void openAgain() {
        if (state.get() == State.OPENING) {
            open();
        }
    }

    /** No lock is here any more, and none has subscriptions or calls left here. */
    CompletionStage<?> close() {
        state.set(State.CLOSED);
        home.endEvents();
        return CompletableFuture.allOf(
                home.channels().closeAsync().toCompletableFuture(),
                home.closeCommandsAsync().toCompletableFuture());
    }

    /**
     * Another node is the master now. What is in flight here is settled as unknown at once, and nothing more is sent. The
     * subscriptions remain until {@link #close}.
     */
    CompletionStage<?> depose(Throwable why) {
        state.set(State.CLOSED);
        link.restart(link.epochNumber(), why);
        return home.closeCommandsAsync();
    }

    /** Connections that are being made are closed when they have been; those that exist are closed by others. */
    void stop() {
        state.set(State.CLOSED);
    }

    // --- What its link needs to know.

    @Override
    public boolean isHere(int slot) {
        return group.isAt(slot, this);
    }

    @Override
    public boolean isSharded() {
        return sharded;
    }

    /** The server of a new connection has sharded channels, or has none: it may have been upgraded. */
    void sharded(boolean has) {
        sharded = has;
        home.channels().use(channelKind());
    }

    private ChannelKind channelKind() {
        return sharded ? ChannelKind.SHARDED : ChannelKind.PLAIN;
    }

    @Override
    public Silence newSilence() {
        return group.newSilence();
    }

    @Override
    public void notExecuted(NotExecutedException why) {
        Redirection redirection = why.redirection();
        if (redirection == null) {
            group.lookUp();
        } else {
            group.redirected(this, redirection);
        }
    }

    @Override
    public @Nullable Consumer<Call> toAsk(Redirection ask) {
        RedisLink other = group.toAsk(this, ask);
        return other == null ? null : other::send;
    }

    @Override
    public void askingRefused(String error) {
        group.askingRefused(this, error);
    }

    @Override
    public CompletionStage<Boolean> confirmAgain() {
        return others.next();
    }

    /** {@return completes with whether others say that this node is the master, after {@link #CONFIRMATION_TIMEOUT} at the latest} */
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are processed
    private CompletionStage<Boolean> askOthers() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        long askedNanos = group.session().now();
        group.session().after(CONFIRMATION_TIMEOUT, () -> answer.complete(false));
        group.confirmAgain(this).whenComplete((confirmed, failure) -> answer.complete(failure == null && confirmed));
        return answer.thenApply(confirmed -> {
            if (!confirmed && group.isMaster(this)) {
                link.unanswered(askedNanos);
            }
            return confirmed;
        });
    }

    @Override
    public CompletionStage<?> confirm(Consumer<Call> first) {
        return group.confirm(this, first);
    }

    /** The end of the connection may be the end of the master. */
    private final class Watched implements RedisLink.Listener {
        private final RedisLink.Listener of;

        Watched(RedisLink.Listener of) {
            this.of = of;
        }

        @Override
        public void opening(Consumer<Call> first) {
            of.opening(first);
        }

        @Override
        public void up() {
            of.up();
        }

        @Override
        public void down(Throwable why) {
            of.down(why);
            group.lookUp();
        }
    }

    /** It is the master of some slots. */
    void hasSlots() {
        slotlessSince.set(null);
    }

    /** {@return for how long it has been without slots, at least: since this was called first after {@link #hasSlots}} */
    long slotlessNanos(long now) {
        slotlessSince.compareAndSet(null, now);
        Long since = slotlessSince.get();
        return since == null ? 0 : now - since;
    }

    /** {@return whether anything is still to be done here} */
    boolean isNeeded() {
        Subscriptions channels = home.channels();
        return home.callsInFlight() > 0 || channels.isUsed();
    }

    @Override
    public String toString() {
        return address.toString();
    }
}
