package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.LockException;
import dev.holdfast.internal.driver.NodeConnection;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.redis.ServerIdentity;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.Subscriptions;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that is alone, as far as this client knows: it has all locks. It is known by one name, which may lead to another
 * server when the connections are opened again. So each new connection begins with the question which server that is.
 *
 * <pre>
 *          connected           the former server
 *   DOWN ------------> ASKED -------------------------------------------------------> UP
 *    ^                  |  \                                                           |
 *    |                  |   \---- another one, or a restarted one: ANOTHER HOME -------+
 *    |                  |         (what the former one has acknowledged is put right)  |
 *    |                  |                                                              |
 *    |                  +---- a replica: asked again, after a pause --+                |
 *    |                  |                                             |                |
 *    +------------------+---------------------------------------------+----------------+
 *      the connection ends; or both connections are reopened, since the server is the wrong one
 * </pre>
 *
 * <p>A server is the wrong one if it is a replica, if it answers a command as a replica does, or if the subscriptions are
 * {@linkplain SameServer at another one}. Both connections are reopened then, by which the name is resolved again, as
 * often as the {@link ReopenLimit} allows. A replica may still become the master, and the name may still move; so that goes
 * on for as long as necessary. Connections that lead to two servers for the third time in a row are kept: the name may lead
 * to several on purpose, and they are of some use.
 *
 * <p>What the former server has acknowledged is put right at another one as in a failover to another node: the locks get
 * another {@link Home}, with the same connections. That happens before the connection accepts calls, and after the calls
 * of the former one have been settled.
 *
 * @see "MovedNameTest, BackgroundConnectTest"
 */
final class OneServer implements Topology, Routing {
    private static final Logger log = LoggerFactory.getLogger(OneServer.class);

    /** Why the server is the wrong one. */
    private enum Wrong {
        REPLICA,
        APART
    }

    private record Trouble(Wrong kind, Throwable why, Instant since) {}

    private final Session session;
    private final String place;
    private final RedisLink link;
    private final Subscriptions channels;
    private final NodeConnection connection;
    private final SameServer sameServer;
    private final ReopenLimit limit =
            new ReopenLimit(() -> ThreadLocalRandom.current().nextDouble());

    /** Whether the connections are about to be reopened. */
    private final AtomicBoolean reopening = new AtomicBoolean();

    /** Written on the I/O thread. */
    private volatile RedisHome home;

    /** Whether this is not the first home; written before that is. */
    private volatile boolean hasMoved;

    /** Why it is the wrong server; null if nothing is known against it. */
    private volatile @Nullable Trouble trouble;

    private volatile boolean stopped;

    // All below is used while a connection is being opened: by its I/O thread, or by the timer's thread after a pause.

    /** The query of this connection that was not evaluated so far; null if there is none. */
    private volatile @Nullable CompletionStage<ServerIdentity> asked;

    private volatile @Nullable SocketAddress address;

    /** The server of the last connection that accepted calls; null if there was none. */
    private volatile @Nullable ServerIdentity former;

    /** The server of this connection; null once it was compared with the former one. */
    private volatile @Nullable ServerIdentity present;

    /** Whether it was a replica since the last connection accepted calls: then it may have the data of another server. */
    private volatile boolean wasReplica;

    /** When the last connection ended. */
    private volatile long downNanos;

    /**
     * @param place its name, for messages
     * @param channels of which a connection to it has been opened
     * @param unusedChannel a channel of this client alone, with which the names of others begin
     * @param connection for commands
     */
    OneServer(
            Session session,
            Driver driver,
            String place,
            Subscriptions channels,
            String unusedChannel,
            NodeConnection connection) {
        this.session = session;
        this.place = place;
        this.link = driver.newLink(session.deadlines(), this);
        this.channels = channels;
        this.connection = connection;
        this.home = new RedisHome(place, session, link, channels, () -> Publishing.SINGLE);
        this.sameServer = new SameServer(link, channels, unusedChannel, this::foundTogether, this::foundApart);
        home.onSubscriptions(sameServer::check);
    }

    // --- For the client.

    @Override
    public CompletionStage<?> start(Events events) {
        return connection.start(link, new Changes(events));
    }

    @Override
    public Home of(SynchronizerKey lock) {
        return home;
    }

    @Override
    public boolean mayHaveMoved() {
        return hasMoved;
    }

    @Override
    public Collection<RedisHome> homes() {
        return List.of(home);
    }

    @Override
    public boolean isConnected() {
        return home.isConnected();
    }

    @Override
    public CompletionStage<?> stop() {
        stopped = true;
        return CompletableFuture.completedStage(null);
    }

    @Override
    public List<ConnectionProblem> problems() {
        Trouble known = trouble;
        List<ConnectionProblem> down = home.problem().stream().toList();
        if (known == null || !down.isEmpty() || (known.kind() == Wrong.REPLICA && isConnected())) {
            return down;
        }
        return List.of(new ConnectionProblem(place, String.valueOf(known.why().getMessage()), known.since()));
    }

    // --- For the link.

    @Override
    public boolean isOneOfSeveral() {
        return false;
    }

    @Override
    public boolean isHere(int slot) {
        return true;
    }

    @Override
    public @Nullable Consumer<Call> toAsk(Redirection ask) {
        return null;
    }

    @Override
    public void notExecuted(NotExecutedException why) {
        if (why.isOfReplica()) {
            wasReplica = true;
            wrong(Wrong.REPLICA, replica(": " + why.error()));
        }
    }

    private LockException replica(String reply) {
        return new LockException(
                "Redis at " + place + " is a read-only replica, and locks need the master" + reply, null);
    }

    @Override
    public void connected(SocketAddress server, Consumer<Call> first) {
        address = server;
        asked = ServerIdentity.ask(server, first);
    }

    @Override
    public CompletionStage<?> confirm(Consumer<Call> first) {
        CompletionStage<ServerIdentity> answer = asked;
        asked = null;
        SocketAddress server = address;
        if (answer == null && server != null) {
            answer = ServerIdentity.ask(server, first);
        }
        return answer == null ? CompletableFuture.completedStage(null) : answer.thenAccept(this::require);
    }

    private void require(ServerIdentity server) {
        present = server;
        if (server.isReplica()) {
            wasReplica = true;
            LockException why = replica("");
            wrong(Wrong.REPLICA, why);
            throw why;
        }
    }

    /** The beginning and the end of its connections. */
    private final class Changes implements RedisLink.Listener {
        private final Events events;

        Changes(Events events) {
            this.events = events;
        }

        @Override
        public void opening(Consumer<Call> first) {
            ServerIdentity server = present;
            if (server != null) {
                present = null;
                connectedTo(server);
            }
            events.of(home).opening(first);
        }

        private void connectedTo(ServerIdentity server) {
            ServerIdentity before = former;
            former = server;
            ServerIdentity.Relation relation = before == null ? ServerIdentity.Relation.SAME : relation(server, before);
            wasReplica = false;
            if (relation != ServerIdentity.Relation.SAME) {
                log.debug("{} is another server than before, or a restarted one: {}", place, relation);
                hasMoved = true;
                home = home.successor(relation == ServerIdentity.Relation.RESTARTED);
                events.moved(lock -> true);
            }
        }

        private ServerIdentity.Relation relation(ServerIdentity server, ServerIdentity before) {
            Duration away = Duration.ofNanos(session.now() - downNanos);
            return wasReplica ? ServerIdentity.Relation.OTHER : server.to(before, away);
        }

        @Override
        public void up() {
            cured(Wrong.REPLICA);
            events.of(home).up();
            sameServer.check();
        }

        @Override
        public void down(Throwable why) {
            downNanos = session.now();
            events.of(home).down(why);
        }
    }

    // --- The wrong server.

    private void foundTogether() {
        limit.foundTogether();
        cured(Wrong.APART);
    }

    private void foundApart() {
        wrong(
                Wrong.APART,
                new LockException(
                        "the two connections to Redis at " + place + " lead to two servers: one for commands, and one"
                                + " for the messages of releases",
                        null));
    }

    private void cured(Wrong kind) {
        Trouble known = trouble;
        if (known != null && known.kind() == kind) {
            trouble = null;
        }
    }

    private void wrong(Wrong kind, Throwable why) {
        Trouble before = trouble;
        Instant since =
                before == null ? Instant.ofEpochMilli(session.wallMillis().getAsLong()) : before.since();
        trouble = new Trouble(kind, why, since);
        boolean isLeft = kind == Wrong.APART && limit.isUseless(session.now());
        if (!stopped && !isLeft && reopening.compareAndSet(false, true)) {
            // On another thread, also if it is now: the caller's call has to be settled before.
            session.after(limit.pause(session.now()), this::reopen);
        }
    }

    /** Both, so that they lead to one server. The name is resolved for each new connection. */
    private void reopen() {
        Trouble known = trouble;
        long now = session.now();
        if (stopped || known == null) {
            reopening.set(false);
            return;
        }
        boolean isFirst = limit.row(now) == 0;
        limit.begin(now, known.kind() == Wrong.APART);
        reopening.set(false);
        if (isFirst) {
            log.warn(
                    "Redis at {} is opened anew, so that its name is resolved again: {}",
                    place,
                    known.why().getMessage());
        }
        link.reopen(known.why());
        channels.reconnect();
    }
}
