package dev.holdfast.internal.node;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.ConnectionRole;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.report.EventPublisher;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.Subscriptions;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis node with its two connections: one for commands, and one for subscriptions.
 *
 * @see "HomesTest, NotExecutedTest"
 */
public final class RedisHome implements Home {
    private final String place;
    private final Session session;
    private final EventPublisher events;

    /** Whether calls have to name the slots of their keys, because these may move to another node. */
    private final boolean mayMove;

    private final RedisLink link;
    private final Subscriptions channels;
    private final Supplier<Publishing> publishing;
    private final ConnectionWait connectionWait;
    private final RedisErrors errors;
    private final HandoffReplies handoffReplies;
    private final ConnectionWatch commandsWatch;
    private final ConnectionWatch subscriptionsWatch;
    private final boolean restarted;

    /**
     * @param place the address of the node, for messages
     * @param publishing how the releases of the locks of this node are published at present
     */
    public RedisHome(
            String place, Session session, RedisLink link, Subscriptions channels, Supplier<Publishing> publishing) {
        this(place, session, link, channels, publishing, lock -> link.isUp());
    }

    /**
     * As above.
     *
     * @param resumes whether what waits for a connection on behalf of this lock is to be resumed at once: there is one, or
     *     the lock has another home by now
     */
    public RedisHome(
            String place,
            Session session,
            RedisLink link,
            Subscriptions channels,
            Supplier<Publishing> publishing,
            Predicate<SynchronizerKey> resumes) {
        this.place = place;
        this.session = session;
        this.mayMove = link.isOneOfSeveral();
        this.events = session.events();
        this.link = link;
        this.channels = channels;
        this.publishing = publishing;
        this.connectionWait = new ConnectionWait(session.deadlines(), resumes);
        this.errors = new RedisErrors(session, this);
        this.handoffReplies = new HandoffReplies();
        this.commandsWatch = new ConnectionWatch(ConnectionRole.COMMANDS, events, link::isUp, session::now);
        this.subscriptionsWatch =
                new ConnectionWatch(ConnectionRole.SUBSCRIPTIONS, events, channels::isConnected, session::now);
        this.restarted = false;
        link.isBeside(channels::clientInfo);
        onSubscriptions(() -> {});
    }

    private RedisHome(RedisHome former, boolean restarted) {
        this.place = former.place;
        this.session = former.session;
        this.mayMove = former.mayMove;
        this.events = former.events;
        this.link = former.link;
        this.channels = former.channels;
        this.publishing = former.publishing;
        this.connectionWait = former.connectionWait;
        this.errors = former.errors;
        this.handoffReplies = former.handoffReplies;
        this.commandsWatch = former.commandsWatch;
        this.subscriptionsWatch = former.subscriptionsWatch;
        this.restarted = restarted;
    }

    /**
     * {@return the home that takes the place of this one, with the same connections, which lead to another server by now}
     *
     * @param restart whether that is known to be the same server, restarted
     */
    public RedisHome successor(boolean restart) {
        return new RedisHome(this, restart);
    }

    /** Sets what is done when the subscriptions have been connected, once that is published. */
    public void onSubscriptions(Runnable connected) {
        channels.onChange(
                () -> {
                    subscriptionsWatch.up();
                    connected.run();
                },
                () -> subscriptionsWatch.down(null));
    }

    @Override
    public void send(SynchronizerKey lock, Call call) {
        if (mayMove) {
            call.isAbout(lock.slot());
        }
        link.send(call);
    }

    @Override
    public void send(Call call) {
        link.send(call);
    }

    @Override
    public void noteOutcome(Call call) {
        if (call.outcome() == Call.Outcome.UNKNOWN) {
            events.unknownOutcome();
        }
    }

    @Override
    public @Nullable Outage outage() {
        return link.outage();
    }

    @Override
    public long epochNumber() {
        return link.epochNumber();
    }

    @Override
    public boolean isSteady() {
        return link.isSteady();
    }

    @Override
    public boolean isRestarted() {
        return restarted;
    }

    @Override
    public void restart(long epochNumber, Throwable why) {
        link.restart(epochNumber, why);
    }

    @Override
    public Subscriptions channels() {
        return channels;
    }

    @Override
    public @Nullable Throwable whyDown() {
        return link.whyDown();
    }

    @Override
    public Publishing publishing() {
        return publishing.get();
    }

    @Override
    public ConnectionWait connectionWait() {
        return connectionWait;
    }

    @Override
    public RedisErrors errors() {
        return errors;
    }

    @Override
    public HandoffReplies handoffReplies() {
        return handoffReplies;
    }

    /** The command connection accepts calls again, and the holds are being verified. */
    public void up() {
        commandsWatch.up();
    }

    public void down(Throwable why) {
        commandsWatch.down(why);
    }

    /** The connections could not be made, for this reason. */
    public void unreachable(Throwable why) {
        link.unconnected(why);
        commandsWatch.failed(why);
        subscriptionsWatch.failed(why);
    }

    /**
     * An attempt to reconnect has failed.
     *
     * @param endpoint the driver's, of a connection that may be one of this node
     * @param explained explains it, with the place of this node
     */
    public void attemptFailed(Object endpoint, Function<String, Throwable> explained) {
        if (link.isOver(endpoint)) {
            Throwable why = explained.apply(place);
            link.unconnected(why);
            commandsWatch.failed(why);
        } else if (channels.isOver(endpoint)) {
            subscriptionsWatch.failed(explained.apply(place));
        }
    }

    /** {@return why this node is not connected, and since when; empty if it is, or was never to be} */
    public Optional<ConnectionProblem> problem() {
        return Stream.of(commandsWatch.loss(), subscriptionsWatch.loss())
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(loss -> session.now() - loss.sinceNanos()))
                .map(this::problem);
    }

    private ConnectionProblem problem(ConnectionWatch.Loss loss) {
        Throwable reason = loss.reason();
        Instant since =
                Instant.ofEpochMilli(session.wallMillis().getAsLong()).minusNanos(session.now() - loss.sinceNanos());
        return new ConnectionProblem(
                place, reason == null ? "the connection was lost" : String.valueOf(reason.getMessage()), since);
    }

    /**
     * This node takes the place of another, which was given up: the loss of that one's connections is published, unless
     * it was before, and lasts until this one is connected.
     */
    public void replaces(RedisHome former, Throwable why) {
        commandsWatch.replaces(former.commandsWatch, why);
        subscriptionsWatch.replaces(former.subscriptionsWatch, why);
    }

    public boolean isConnected() {
        return link.isUp() && channels.isConnected();
    }

    public int callsInFlight() {
        return link.inFlight();
    }

    /** {@return the number of scheduled reply timeouts} */
    public int pendingTimeouts() {
        return link.pendingTimeouts();
    }

    /** Publishes no event about the connections from now on: they are about to be closed. */
    public void endEvents() {
        commandsWatch.close();
        subscriptionsWatch.close();
    }

    public CompletionStage<Void> closeCommandsAsync() {
        return link.closeAsync();
    }
}
