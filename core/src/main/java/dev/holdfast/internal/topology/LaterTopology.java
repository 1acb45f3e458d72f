package dev.holdfast.internal.topology;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.LockException;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.RedisHome;
import dev.holdfast.internal.redis.RedisLink;
import dev.holdfast.internal.redis.Routing;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.ServerUris;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a client that is connected in the background: what they are is determined by the first connect that
 * succeeds.
 *
 * <pre>
 *            start                  a connect succeeds
 *   CREATED -------> CONNECTING --------------------------> CONNECTED: the topology that was determined has all locks
 *                     |    ^ |
 *                     |    +-+ a connect fails (a pause)
 *                     |
 *                     +--- stop ---> CLOSED
 * </pre>
 *
 * <p>Until then all locks are at a home that has no connection, as those of a cluster are whose slot has no master: calls
 * wait there, or fail. Then, in this order, the topology is published, what waits is sent again, and waiters listen at
 * their new homes. The connects block a thread of their own, which ends with the first that succeeds, or with the client.
 *
 * @see "BackgroundConnectTest"
 */
public final class LaterTopology implements Topology {
    private final Settings settings;
    private final Session session;
    private final Driver driver;

    /** The home of all locks until the client is connected: it has no connection. */
    private final RedisHome unassigned;

    private final FirstConnectLog log = new FirstConnectLog();

    /** Completes when the thread ends. */
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();

    /** Completes when the client is closed. */
    private final CompletableFuture<@Nullable Void> closing = new CompletableFuture<>();

    /** Written once, under the monitor. */
    private volatile @Nullable Topology connected;

    /** The present attempt. Guarded by this. */
    private @Nullable FirstConnect attempt;

    public LaterTopology(Settings settings, Session session, Driver driver) {
        this.settings = settings;
        this.session = session;
        this.driver = driver;
        RedisLink unlinked = driver.newLink(session.deadlines(), Routing.NONE);
        unlinked.unconnected(new IOException("the client has not been connected so far"));
        this.unassigned = new RedisHome(
                ServerUris.addresses(settings.redisUris()),
                session,
                unlinked,
                driver.unconnected(),
                () -> Publishing.SINGLE,
                lock -> connected != null);
    }

    // --- The first connect.

    @Override
    public CompletionStage<?> start(Events events) {
        Thread connecting = new Thread(() -> connect(events), "holdfast-first-connect");
        connecting.setDaemon(true);
        connecting.start();
        return CompletableFuture.completedStage(null);
    }

    private void connect(Events events) {
        try {
            while (!closing.isDone() && !attempt(events)) {
                Blocking.atMost(closing, pause());
            }
        } finally {
            ended.complete(null);
        }
    }

    /** {@return the time until the next attempt, which differs between clients that were started together} */
    private Duration pause() {
        long longest = settings.reconnectDelay().toNanos();
        return Duration.ofNanos(longest / 2 + ThreadLocalRandom.current().nextLong(longest / 2 + 1));
    }

    /** {@return whether it has succeeded} */
    private boolean attempt(Events events) {
        FirstConnect connect = new FirstConnect(settings, driver, session);
        boolean succeeds = false;
        try {
            if (begin(connect)) {
                Topology determined = connect.determine();
                connect.await(determined.start(events));
                succeeds = succeeded(determined);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        if (succeeds) {
            unassigned.connectionWait().over();
            reconnected();
            events.moved(lock -> true);
        } else {
            connect.abandon(new Shutdown());
        }
        return succeeds;
    }

    /** Publishes the end of an outage that was published: the first node that is connected takes the place of none. */
    private void reconnected() {
        unassigned.problem().ifPresent(outage -> homes().stream()
                .filter(RedisHome::isConnected)
                .findFirst()
                .ifPresent(home -> home.replaces(unassigned, new IOException(outage.reason()))));
    }

    /** {@return whether an attempt is still wanted} */
    private synchronized boolean begin(FirstConnect connect) {
        attempt = connect;
        return !closing.isDone();
    }

    /** {@return whether what was determined is still wanted} */
    private synchronized boolean succeeded(Topology determined) {
        attempt = null;
        if (closing.isDone()) {
            return false;
        }
        connected = determined;
        return true;
    }

    private void failed(Throwable failure) {
        if (!closing.isDone()) {
            Throwable why = failure instanceof LockException known
                    ? known
                    : Opening.cannotConnect(settings.redisUri(), failure);
            unassigned.unreachable(why);
            log.failed(why);
        }
    }

    /** An attempt that is in progress fails, so that its thread ends soon. */
    @Override
    public CompletionStage<?> stop() {
        FirstConnect unwanted;
        Topology nodes;
        synchronized (this) {
            closing.complete(null);
            unwanted = attempt;
            nodes = connected;
        }
        if (unwanted != null) {
            unwanted.cancel();
        }
        return nodes == null ? ended : nodes.stop();
    }

    // --- For the client.

    @Override
    public Home of(SynchronizerKey lock) {
        Topology nodes = connected;
        return nodes == null ? unassigned : nodes.of(lock);
    }

    @Override
    public boolean isHome(LockKey lock, Home home) {
        Topology nodes = connected;
        return nodes == null ? home == unassigned : nodes.isHome(lock, home);
    }

    @Override
    public int group(LockKey lock) {
        Topology nodes = connected;
        return nodes == null ? 0 : nodes.group(lock);
    }

    /** Nothing is held before the client is connected. */
    @Override
    public boolean mayHaveMoved() {
        Topology nodes = connected;
        return nodes == null || nodes.mayHaveMoved();
    }

    @Override
    public Collection<RedisHome> homes() {
        Topology nodes = connected;
        return nodes == null ? List.of(unassigned) : nodes.homes();
    }

    @Override
    public boolean isConnected() {
        Topology nodes = connected;
        return nodes != null && nodes.isConnected();
    }

    @Override
    public List<ConnectionProblem> problems() {
        Topology nodes = connected;
        return nodes == null ? unassigned.problem().stream().toList() : nodes.problems();
    }

    /** Redis may turn out to be a cluster. A name that is accepted once is accepted always, so this does not change then. */
    @Override
    public boolean hasSlots() {
        return !ServerUris.isSentinel(settings.redisUri());
    }
}
