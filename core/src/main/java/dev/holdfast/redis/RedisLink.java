package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command connection of a client, seen as a row of {@linkplain Epoch epochs}.
 *
 * <pre>
 *        connected               the earlier ones are killed,
 *                                what comes first was executed
 *   DOWN ----------> OPENING ----------------------------> UP
 *     ^                 |                                   |
 *     +-----------------+-----------------------------------+
 *        disconnected, or the oldest call in flight has had
 *        no answer for the command timeout
 * </pre>
 *
 * <p>The driver never sends a command twice (it is told to reject commands while disconnected), and its own timeouts are
 * off. Redis answers in order, so one silent call means a silent connection: rather than give up single calls and keep
 * a connection whose replies are late, the link ends the epoch. Every call in flight is then settled as unknown, the
 * connection is closed, and the driver opens another. What to send again is for the caller to decide.
 *
 * <p>Before an epoch takes calls, it kills the {@link StaleConnections}, so that no call of theirs runs late, and sends what
 * the listener has to say first. Where the server does not execute that, it is all sent again after a pause: nothing else
 * comes before it.
 */
public final class RedisLink implements AutoCloseable {

    /**
     * Hears of the beginning and the end of epochs; must not block. An epoch opens when all that is said of the one before
     * has been said, its calls are settled and {@link #down} has returned. Its own end may come while its opening is told.
     */
    public interface Listener {
        /**
         * A connection is there, and nobody else's call is taken yet. Comes on the I/O thread, before {@link #up}; again if one
         * of the calls was {@linkplain Call.Outcome#NOT_EXECUTED not executed}.
         *
         * @param first sends a call in this epoch, ahead of all others; to be used within this method only
         */
        default void opening(Consumer<Call> first) {}

        /** A connection is there: calls are taken again. */
        void up();

        /** The connection is gone; its calls have been settled as unknown. */
        void down(Throwable why);
    }

    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    /** Before what comes first is sent again, if it was not executed. */
    private static final long PAUSE_NANOS = Duration.ofMillis(50).toNanos();

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final CommandChannel channel;
    private final List<Script> scripts;
    private final Deadlines deadlines;
    private final Duration commandTimeout;
    private final Listener listener;
    private final StaleConnections earlier = new StaleConnections();
    private final ReplyTimeout watch;

    /** Null while the link is down. */
    private final AtomicReference<@Nullable Epoch> current = new AtomicReference<>();

    private final AtomicLong lastEpoch = new AtomicLong();

    /** How many threads tell of the opening of an epoch, or of its end, which includes settling its calls. */
    private final AtomicInteger telling = new AtomicInteger();

    private final CompletableFuture<@Nullable Void> firstUp = new CompletableFuture<>();

    /** Written by the I/O thread when it reports a connection's name. */
    private volatile @Nullable Thread ioThread;

    /** Why the present epoch takes no calls yet; null if nothing is known against it. */
    private volatile @Nullable Throwable notYet;

    private volatile boolean closed;

    /**
     * Takes over a connection that is open; {@link #start} begins the first epoch.
     *
     * @param connection of a client that rejects commands while disconnected, reconnects, and has no timeouts
     * @param channel in the resources of that client
     * @param scripts loaded at the start of every epoch
     * @param commandTimeout how long a call may be without answer before the connection counts as dead
     */
    public RedisLink(
            StatefulRedisConnection<byte[], byte[]> connection,
            CommandChannel channel,
            List<Script> scripts,
            Deadlines deadlines,
            Duration commandTimeout,
            Listener listener) {
        this.connection = connection;
        this.channel = channel;
        this.scripts = List.copyOf(scripts);
        this.deadlines = deadlines;
        this.commandTimeout = commandTimeout;
        this.listener = listener;
        this.watch = new ReplyTimeout(deadlines, commandTimeout, current::get, this::silent);
    }

    /**
     * Begins the first epoch.
     *
     * @return completes, on the I/O thread, when the link is up for the first time
     */
    public CompletionStage<@Nullable Void> start() {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                begin();
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                end(current.get(), new IOException("the connection to Redis was lost"));
            }
        });
        if (connection.isOpen()) {
            begin();
        }
        return firstUp.minimalCompletionStage();
    }

    /** Sends a call, or settles it at once as not sent if the link is down. */
    public void send(Call call) {
        long now = deadlines.nanoTime();
        Epoch epoch = current.get();
        if (epoch == null || !epoch.isOpen()) {
            Throwable known = notYet;
            call.complete(
                    Call.Outcome.NOT_SENT,
                    epoch == null || known == null ? new IOException("there is no connection to Redis") : known);
            return;
        }
        send(epoch, call, now);
    }

    private void send(Epoch epoch, Call call, long nowNanos) {
        epoch.send(call, nowNanos);
        watch.sent(nowNanos);
    }

    /** {@return whether there is a connection that takes calls} */
    public boolean isUp() {
        Epoch epoch = current.get();
        return epoch != null && epoch.isOpen();
    }

    /** {@return the number of the present epoch, which grows from one to the next; 0 while no calls are taken} */
    public long epochNumber() {
        Epoch epoch = current.get();
        return epoch != null && epoch.isOpen() ? epoch.number() : 0;
    }

    /**
     * Ends an epoch: settles its calls, on this thread, and drops its connection, so that the driver makes another. Does
     * nothing if that epoch is over.
     *
     * @param epochNumber of the epoch, as of {@link Call#epochNumber}
     */
    public void restart(long epochNumber, Throwable why) {
        Epoch epoch = current.get();
        if (epoch != null && epoch.number() == epochNumber) {
            broken(epoch, why);
        }
    }

    /** {@return whether the calling thread is the one that reads this connection's replies, and so must not wait} */
    public boolean isIoThread() {
        return Thread.currentThread() == ioThread;
    }

    /** {@return the number of calls without answer} */
    public int inFlight() {
        Epoch epoch = current.get();
        return epoch == null ? 0 : epoch.inFlight();
    }

    /** {@return the number of deadlines that watch for answers; the last one outlives its call for a while} */
    public int pendingTimeouts() {
        return watch.isScheduled() ? 1 : 0;
    }

    /**
     * Ends the current epoch, settles what is in flight, and lets nothing be sent any more.
     *
     * @return done once the connection is closed, which needs the driver's event loop
     */
    public CompletionStage<Void> closeAsync() {
        closed = true;
        end(current.get(), new IOException("the client was closed"));
        watch.stop();
        return connection.closeAsync();
    }

    /** {@link #closeAsync()}, and waits for the connection to be closed. */
    @Override
    public void close() {
        closeAsync().toCompletableFuture().join();
    }

    private void begin() {
        end(current.get(), new IOException("the connection to Redis was replaced"));
        Epoch epoch = new Epoch(lastEpoch.incrementAndGet(), channel.latest(), this::broken);
        if (closed || !current.compareAndSet(null, epoch)) {
            return;
        }
        notYet = null;
        long now = deadlines.nanoTime();
        killEarlier(epoch, now);
        for (Script script : scripts) {
            epoch.send(Call.of(CommandType.SCRIPT, RedisLink::noteLoaded, ascii("LOAD"), script.source()), now);
        }
        watch.sent(now);
        if (!connection.isOpen()) {
            end(epoch, new IOException("the connection to Redis was lost"));
        }
    }

    private void killEarlier(Epoch epoch, long now) {
        earlier.kill(epoch, now, () -> inTurn(epoch, this::sendFirst), why -> killLater(epoch, why));
        watch.sent(now);
    }

    private void killLater(Epoch epoch, Throwable why) {
        notYet = why;
        later(epoch, () -> killEarlier(epoch, deadlines.nanoTime()));
    }

    /**
     * On the I/O thread, or on another one of the driver's than the last time. While an epoch before this one is still being
     * told of, nothing is told of this one: it asks the server something, and looks again at the answer.
     */
    private void inTurn(Epoch epoch, Consumer<Epoch> next) {
        ioThread = Thread.currentThread();
        if (!telling.compareAndSet(0, 1)) {
            ping(epoch, () -> inTurn(epoch, next));
            return;
        }
        try {
            if (current.get() == epoch) {
                next.accept(epoch);
            }
        } finally {
            telling.decrementAndGet();
        }
    }

    /** Runs this on the I/O thread, after the callers of all that was sent before, unless the epoch has ended. */
    private void ping(Epoch epoch, Runnable then) {
        Call ping = Call.of(CommandType.PING, answer -> {
            switch (answer.outcome()) {
                case ANSWERED, REFUSED, NOT_EXECUTED -> then.run();
                case UNKNOWN, NOT_SENT -> log.debug("A connection ended before it took calls", answer.cause());
            }
        });
        send(epoch, ping, deadlines.nanoTime());
    }

    private void sendFirst(Epoch epoch) {
        List<Call> first = new ArrayList<>();
        try {
            listener.opening(call -> {
                first.add(call);
                send(epoch, call, deadlines.nanoTime());
            });
        } catch (Throwable e) {
            log.error("Something could not be sent first on a new connection", e);
        }
        if (first.isEmpty()) {
            open(epoch);
        } else {
            ping(epoch, () -> answeredFirst(epoch, first));
        }
    }

    private void answeredFirst(Epoch epoch, List<Call> first) {
        for (Call call : first) {
            if (call.outcome() == Call.Outcome.NOT_EXECUTED) {
                notYet = call.cause();
                later(epoch, () -> ping(epoch, () -> inTurn(epoch, this::sendFirst)));
                return;
            }
        }
        inTurn(epoch, this::open);
    }

    private void open(Epoch epoch) {
        notYet = null;
        epoch.open();
        firstUp.complete(null);
        listener.up();
    }

    /** After a pause, if the epoch has not ended by then. */
    private void later(Epoch epoch, Runnable next) {
        Deadline pause = new Deadline() {
            @Override
            protected void expired() {
                if (current.get() == epoch) {
                    next.run();
                }
            }
        };
        if (!deadlines.schedule(pause, deadlines.nanoTime() + PAUSE_NANOS)) {
            log.debug("A connection takes no calls: the client is closed");
        }
    }

    /** False if it had ended already. The mark comes first: in the next epoch, nothing is sent in this one any more. */
    private boolean end(@Nullable Epoch epoch, Throwable cause) {
        if (epoch == null) {
            return false;
        }
        Throwable why = epoch.markEnded(cause);
        telling.incrementAndGet();
        try {
            if (!current.compareAndSet(epoch, null)) {
                return false;
            }
            epoch.end(why);
            listener.down(why);
            return true;
        } finally {
            telling.decrementAndGet();
        }
    }

    /** The driver gave up a command of this epoch: whatever it thinks of its connection, it is not used any more. */
    private void broken(Epoch epoch, Throwable why) {
        if (end(epoch, why)) {
            epoch.disconnect();
        }
    }

    private void silent(Epoch epoch, Call oldest) {
        log.debug("No answer to {}; the connection is given up", oldest);
        broken(epoch, new TimeoutException("Redis did not answer within " + commandTimeout.toMillis() + " ms"));
    }

    private static void noteLoaded(Call load) {
        if (load.outcome() == Call.Outcome.REFUSED) {
            log.debug("SCRIPT LOAD was refused, each script is sent in full once: {}", load.error());
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
