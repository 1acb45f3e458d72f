package dev.holdfast.internal.redis;

import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command connection to a Redis node, as a sequence of {@linkplain Epoch epochs}. It is down until it is given a
 * connection.
 *
 * <pre>
 *        connected                the steps of the {@link EpochOpening}
 *   DOWN ----------> OPENING -----------------------------------------> UP
 *     ^                 |                                                |
 *     +-----------------+------------------------------------------------+
 *        disconnected, or the oldest call in flight has had
 *        no answer for the command timeout
 * </pre>
 *
 * <p>The driver never sends a command twice (it is configured to reject commands while disconnected), and its own
 * timeouts are off. Redis answers in order, so if one call has no answer, the connection has none. The link does not
 * give up single calls and keep a connection whose replies are late, but ends the epoch: every call in flight is
 * settled as unknown, the connection is closed, and the driver opens another. The sender of a call decides whether to
 * send it again.
 */
public final class RedisLink {

    /**
     * Is called at the beginning and the end of epochs; must not block. An epoch opens after all methods for the one
     * before have returned, {@link #down} included, and its calls are settled. Its own end may come during its opening.
     */
    public interface Listener {
        /** Does nothing. */
        Listener NONE = new Listener() {
            @Override
            public void up() {}

            @Override
            public void down(Throwable why) {}
        };

        /**
         * There is a connection, and no other calls are accepted yet. Called on the I/O thread, before {@link #up};
         * called again if one of the calls was {@linkplain Call.Outcome#NOT_EXECUTED not executed}.
         *
         * @param first sends a call in this epoch, before all others; to be used within this method only
         */
        default void opening(Consumer<Call> first) {}

        /** There is a connection: calls are accepted again. */
        void up();

        /** The connection has ended; its calls have been settled as unknown. */
        void down(Throwable why);
    }

    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    /** Null before {@link #start}. */
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;

    private final List<Script> scripts;
    private final Deadlines deadlines;
    private final Duration commandTimeout;
    /** Written by {@link #start}; before that, no epoch begins. */
    private volatile Listener listener = Listener.NONE;

    private final StaleConnections earlier = new StaleConnections();
    private final EpochOpening.Link steps = new Steps();
    private final ReplyTimeout watch;

    /** Null while the link is down. */
    private final AtomicReference<@Nullable Epoch> current = new AtomicReference<>();

    /** Shared by all links of the client: two calls with the same epoch number were sent on the same connection. */
    private final AtomicLong lastEpoch;

    private final Routing routing;

    /** Null where locks are not replicated. */
    private final @Nullable Replication replication;

    /**
     * The number of threads that are reporting the opening of an epoch, or its end, which includes settling its calls.
     */
    private final AtomicInteger notifying = new AtomicInteger();

    private final CompletableFuture<@Nullable Void> firstUp = new CompletableFuture<>();

    /** Why the current epoch does not accept calls yet; null if no reason is known. */
    private volatile @Nullable Throwable notYet;

    /** Why there is no connection that accepts calls; null if no reason is known, or there is one. */
    private volatile @Nullable Throwable unconnected;

    /** When calls were last accepted, or a connection was first wanted; it is of no meaning while calls are accepted. */
    private volatile long downSinceNanos;

    /** What ended the last connection; null if there was none, or it was not ended. */
    private volatile @Nullable Throwable ended;

    private volatile boolean closed;

    /** The close of the connection, which the driver warns about if it is repeated; null before that. */
    private volatile @Nullable CompletionStage<Void> closing;

    /**
     * A link without a connection so far; {@link #start} begins the first epoch.
     *
     * @param scripts loaded at the start of every epoch
     * @param commandTimeout how long a call may have no answer before its connection is closed
     * @param lastEpoch the number of the latest epoch of all links of the client
     * @param replication what makes locks replicated; null if they are not
     */
    public RedisLink(
            List<Script> scripts,
            Deadlines deadlines,
            Duration commandTimeout,
            AtomicLong lastEpoch,
            Routing routing,
            @Nullable Replication replication) {
        this.scripts = List.copyOf(scripts);
        this.deadlines = deadlines;
        this.commandTimeout = commandTimeout;
        this.lastEpoch = lastEpoch;
        this.routing = routing;
        this.replication = replication;
        this.watch = new ReplyTimeout(deadlines, commandTimeout, current::get, this::silent);
        this.downSinceNanos = deadlines.nanoTime();
    }

    /**
     * Begins the first epoch.
     *
     * @param made of a driver's client that rejects commands while disconnected, reconnects, and has no timeouts
     * @param channel the latest channel of this connection
     * @param events is called at the beginning and the end of each epoch
     * @return completes, on the I/O thread, when the link is up for the first time; fails if it is closed before
     */
    public CompletionStage<@Nullable Void> start(
            StatefulRedisConnection<byte[], byte[]> made, Supplier<Channel> channel, Listener events) {
        listener = events;
        connection = made;
        made.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                begin(made, channel.get());
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                end(current.get(), new NotConnectedException("the connection to Redis was lost", () -> unconnected));
            }
        });
        if (made.isOpen()) {
            begin(made, channel.get());
        }
        return firstUp.minimalCompletionStage();
    }

    /** A connection is wanted from now on: there was none before, since nothing needed it. */
    public void wanted() {
        downSinceNanos = deadlines.nanoTime();
    }

    /**
     * {@return for how long no calls have been accepted, if that is a command timeout or longer; otherwise null} Until
     * then the connection may be about to be opened again.
     */
    public @Nullable Outage outage() {
        if (isUp()) {
            return null;
        }
        long nanos = deadlines.nanoTime() - downSinceNanos;
        Throwable never = unconnected;
        return nanos < commandTimeout.toNanos() ? null : new Outage(nanos, never == null ? ended : never);
    }

    /**
     * The client has a second connection to the node, which is not one of those of this link.
     *
     * @param clientInfo what the server says of it; null if that is not known
     */
    public void isBeside(Supplier<@Nullable String> clientInfo) {
        earlier.areBeside(clientInfo);
    }

    /** No connection could be made, or made again, for this reason: it is named to the senders of calls until there is one. */
    public void unconnected(Throwable why) {
        unconnected = why;
    }

    /** Sends a call, or settles it at once as not sent if the link is down. */
    public void send(Call call) {
        long now = deadlines.nanoTime();
        Epoch epoch = current.get();
        if (epoch == null || !epoch.isOpen()) {
            call.complete(Call.Outcome.NOT_SENT, whyDown(epoch));
            return;
        }
        send(epoch, call, now);
    }

    private Throwable whyDown(@Nullable Epoch epoch) {
        Throwable known = notYet;
        return epoch == null || known == null
                ? new NotConnectedException("there is no connection to Redis", () -> unconnected)
                : known;
    }

    /** {@return why no calls are accepted at present; null if they are} */
    public @Nullable Throwable whyDown() {
        Epoch epoch = current.get();
        return epoch == null || !epoch.isOpen() ? whyDown(epoch) : null;
    }

    /** {@return whether this is the driver's endpoint of the connection that this link has} */
    public boolean isOver(Object endpoint) {
        StatefulRedisConnection<byte[], byte[]> made = connection;
        return made != null && ((RedisChannelHandler<?, ?>) made).getChannelWriter() == endpoint;
    }

    private void send(Epoch epoch, Call call, long nowNanos) {
        epoch.send(call, nowNanos);
        watch.sent(nowNanos);
    }

    /**
     * {@return whether a message of this node counts as a grant: its recent replies show that it has not been replaced by another one,
     * and no replica has to confirm it}
     */
    public boolean isSteady() {
        Epoch epoch = current.get();
        Silence silence = epoch == null ? null : epoch.silence();
        return replication == null && epoch != null && (silence == null || silence.isOver());
    }

    /**
     * Other nodes, queried at that time, have replied that this node is the master.
     *
     * @param askedNanos by the clock of {@link Routing#newSilence}
     */
    public void confirmed(long askedNanos) {
        Silence silence = silence();
        if (silence != null) {
            silence.confirmed(askedNanos);
        }
    }

    /** Others were asked at that time which node is the master, and none has answered. */
    public void unanswered(long askedNanos) {
        Silence silence = silence();
        if (silence != null) {
            silence.unanswered(askedNanos);
        }
    }

    /** {@return whether others have not said since its last silence that this node is the master; false while it is down} */
    public boolean isDoubted() {
        Silence silence = silence();
        return silence != null && silence.isDoubted();
    }

    private @Nullable Silence silence() {
        Epoch epoch = current.get();
        return epoch == null ? null : epoch.silence();
    }

    /** {@return whether there are other links, to which the locks of this one may move} */
    public boolean isOneOfSeveral() {
        return routing.isOneOfSeveral();
    }

    /** {@return whether channels are sharded on the node, as far as is known} */
    public boolean isSharded() {
        return routing.isSharded();
    }

    /** {@return whether there is a connection that accepts calls} */
    public boolean isUp() {
        return epochNumber() != 0;
    }

    /** {@return the number of the current epoch, which grows from one to the next; 0 while no calls are accepted} */
    public long epochNumber() {
        Epoch epoch = current.get();
        return epoch != null && epoch.isOpen() ? epoch.number() : 0;
    }

    /**
     * Ends an epoch: settles its calls, on this thread, and closes its connection, so that the driver reconnects. Does
     * nothing if that epoch has ended.
     *
     * @param epochNumber the number of the epoch, as from {@link Call#epochNumber}; does nothing for one of another link
     */
    public void restart(long epochNumber, Throwable why) {
        Epoch epoch = current.get();
        if (epoch != null && epoch.number() == epochNumber) {
            broken(epoch, why);
        }
    }

    /**
     * The same for the present epoch, whether it accepts calls or is being opened. The reason is named to the senders of
     * calls until there is another connection.
     */
    public void reopen(Throwable why) {
        unconnected = why;
        Epoch epoch = current.get();
        if (epoch != null) {
            broken(epoch, why);
        }
    }

    /** {@return the number of calls without answer} */
    public int inFlight() {
        Epoch epoch = current.get();
        return epoch == null ? 0 : epoch.inFlight();
    }

    /** {@return the number of scheduled reply timeouts; the last one stays scheduled for a while after its call} */
    public int pendingTimeouts() {
        return watch.isScheduled() ? 1 : 0;
    }

    /**
     * Ends the current epoch, settles the calls in flight, and accepts no calls any more.
     *
     * @return completes when the connection is closed, which needs the driver's event loop
     */
    public CompletionStage<Void> closeAsync() {
        closed = true;
        IOException why = new IOException("the client was closed");
        end(current.get(), why);
        firstUp.completeExceptionally(why);
        watch.stop();
        StatefulRedisConnection<byte[], byte[]> made = connection;
        CompletionStage<Void> begun = closing;
        if (begun != null || made == null) {
            return begun == null ? CompletableFuture.completedStage(null) : begun;
        }
        begun = made.closeAsync();
        closing = begun;
        return begun;
    }

    private void begin(StatefulRedisConnection<byte[], byte[]> made, Channel channel) {
        end(current.get(), new IOException("the connection to Redis was replaced"));
        Epoch epoch = new Epoch(
                lastEpoch.incrementAndGet(), channel, routing, replication, deadlines::nanoTime, this::broken);
        if (closed || !current.compareAndSet(null, epoch)) {
            return;
        }
        notYet = null;
        new EpochOpening(epoch, earlier, scripts, routing, deadlines, steps).begin();
        if (!made.isOpen()) {
            end(epoch, new IOException("the connection to Redis was lost"));
        }
    }

    /** What the opening of an epoch does by this link. */
    private final class Steps implements EpochOpening.Link {
        @Override
        public void send(Epoch epoch, Call call) {
            RedisLink.this.send(epoch, call, deadlines.nanoTime());
        }

        @Override
        public boolean isCurrent(Epoch epoch) {
            return current.get() == epoch;
        }

        @Override
        public boolean inTurn(Epoch epoch, Runnable report) {
            if (!notifying.compareAndSet(0, 1)) {
                return false;
            }
            try {
                if (isCurrent(epoch)) {
                    report.run();
                }
            } finally {
                notifying.decrementAndGet();
            }
            return true;
        }

        @Override
        public void notYet(Throwable why) {
            notYet = why;
        }

        @Override
        public void sendFirst(Consumer<Call> first) {
            try {
                listener.opening(first);
            } catch (Throwable e) {
                log.error("The first calls of a new connection could not be sent", e);
            }
        }

        @Override
        public void open(Epoch epoch) {
            notYet = null;
            unconnected = null;
            epoch.open();
            firstUp.complete(null);
            listener.up();
        }
    }

    /** False if it had ended already. It is marked first, so that no call is sent in it once the next epoch begins. */
    private boolean end(@Nullable Epoch epoch, Throwable cause) {
        if (epoch == null) {
            return false;
        }
        if (epoch.isOpen()) { // written before the link is seen to be down
            downSinceNanos = deadlines.nanoTime();
        }
        Throwable why = epoch.markEnded(cause);
        ended = why;
        notifying.incrementAndGet();
        try {
            if (!current.compareAndSet(epoch, null)) {
                return false;
            }
            epoch.end(why);
            listener.down(why);
            return true;
        } finally {
            notifying.decrementAndGet();
        }
    }

    /** Ends an epoch that failed, and closes its connection, whatever state the driver considers it to be in. */
    private void broken(Epoch epoch, Throwable why) {
        if (end(epoch, why)) {
            epoch.disconnect();
        }
    }

    private void silent(Epoch epoch, Call oldest) {
        log.debug("No answer to {}; the connection is given up", oldest);
        broken(epoch, new TimeoutException("Redis did not answer within " + commandTimeout.toMillis() + " ms"));
    }
}
