package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.DefaultEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The command connection of a client, seen as a row of {@linkplain Epoch epochs}.
 *
 * <pre>
 *            connected: fence, load scripts              the server has told the connection's name
 *   DOWN ------------------------------------> OPENING ----------------------------------------------> UP
 *     ^                                           |                                                     |
 *     +-------------------------------------------+-----------------------------------------------------+
 *       disconnected, or the oldest call in flight has had no answer for the command timeout
 * </pre>
 *
 * <p>The driver never sends a command twice (it is told to reject commands while disconnected), and its own timeouts are
 * off. Redis answers in order, so one silent call means a silent connection: rather than give up single calls and keep
 * a connection whose replies are late, the link ends the epoch. Every call in flight is then settled as unknown, the
 * connection is closed, and the driver opens another. What to send again is for the caller to decide.
 *
 * <p><b>The fence.</b> A server that was stopped may still have commands of a dead connection in its buffers and run
 * them after those of the next. So the first command of every epoch kills the connection of the epoch before by its id
 * and address; all that follows on the new connection then runs after all that will ever run of the old one. It needs
 * Redis 6.2 and the right to {@code CLIENT KILL}; without them a late command can still arrive, and then only the
 * scripts' own rule protects the lock (see {@code docs/guarantees.md}). For the same reason no call is sent before the name
 * of its connection is known: what could not be fenced off afterwards is not begun.
 */
public final class RedisLink implements AutoCloseable {

    /** Hears of the beginning and the end of epochs; must not block. */
    public interface Listener {
        /** A connection is there, fenced off from the last, and can itself be fenced off: calls are taken again. */
        void up();

        /** The connection is gone; its calls have been settled as unknown. */
        void down(Throwable why);
    }

    private static final Logger log = LoggerFactory.getLogger(RedisLink.class);

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final List<Script> scripts;
    private final Deadlines deadlines;
    private final LongSupplier nanoTime;
    private final long commandTimeoutNanos;
    private final Listener listener;

    /** Null while the link is down. */
    private final AtomicReference<@Nullable Epoch> current = new AtomicReference<>();

    /** Whether {@link #overdue} is scheduled. */
    private final AtomicBoolean watching = new AtomicBoolean();

    private final Deadline overdue = new Deadline() {
        @Override
        protected void expired() {
            endIfOverdue();
        }
    };

    /** Completes when calls are taken for the first time. */
    private final CompletableFuture<@Nullable Void> up = new CompletableFuture<>();

    /** How the server knows the connection of the last epoch that was up; written on the I/O thread. */
    private volatile @Nullable ServerSideName lastName;

    private volatile @Nullable Thread ioThread;
    private volatile boolean closed;

    /**
     * Takes over a connection that is open; {@link #start} begins the first epoch.
     *
     * @param connection of a client that rejects commands while disconnected, reconnects, and has no timeouts
     * @param scripts loaded at the start of every epoch
     * @param commandTimeout how long a call may be without answer before the connection counts as dead
     */
    public RedisLink(
            StatefulRedisConnection<byte[], byte[]> connection,
            List<Script> scripts,
            Deadlines deadlines,
            LongSupplier nanoTime,
            Duration commandTimeout,
            Listener listener) {
        this.connection = connection;
        this.scripts = List.copyOf(scripts);
        this.deadlines = deadlines;
        this.nanoTime = nanoTime;
        this.commandTimeoutNanos = commandTimeout.toNanos();
        this.listener = listener;
    }

    /** Begins the first epoch. {@return completes when calls are taken} */
    public CompletionStage<@Nullable Void> start() {
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
                if (!closed) {
                    begin();
                }
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                end(current.get(), new IOException("the connection to Redis was lost"));
            }
        });
        if (connection.isOpen()) {
            begin();
        }
        return up;
    }

    /** Sends a call, or settles it at once as not sent if the link is down. */
    public void send(Call call) {
        long now = nanoTime.getAsLong();
        Epoch epoch = current.get();
        if (epoch == null || !epoch.isUp()) {
            call.fail(Call.Outcome.NOT_SENT, new IOException("there is no connection to Redis"));
            return;
        }
        epoch.send(call, now);
        watch(now);
    }

    /** Looks after a command timeout whether what was sent has been answered. */
    private void watch(long now) {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            deadlines.schedule(overdue, now + commandTimeoutNanos);
        }
    }

    /** {@return whether calls are taken} */
    public boolean isUp() {
        Epoch epoch = current.get();
        return epoch != null && epoch.isUp();
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

    /** Ends the current epoch, settles what is in flight, and lets nothing be sent any more. The connection is closed. */
    @Override
    public void close() {
        closed = true;
        end(current.get(), new IOException("the client was closed"));
        deadlines.cancel(overdue);
        connection.close();
    }

    private void begin() {
        Epoch lost = current.get();
        if (lost != null) {
            end(lost, new IOException("the connection to Redis was replaced"));
        }
        Epoch epoch = new Epoch(connection, this::end);
        if (closed || !current.compareAndSet(null, epoch)) {
            return;
        }
        long now = nanoTime.getAsLong();
        ServerSideName before = lastName;
        if (before != null) {
            epoch.send(before.kill(), now);
        }
        epoch.send(Call.of(CommandType.CLIENT, info -> named(epoch, info), ascii("INFO")), now);
        for (Script script : scripts) {
            epoch.send(Call.of(CommandType.SCRIPT, RedisLink::noteLoaded, ascii("LOAD"), script.source()), now);
        }
        watch(now);
        if (!connection.isOpen()) {
            end(epoch, new IOException("the connection to Redis was lost"));
        }
    }

    private void end(@Nullable Epoch epoch, Throwable why) {
        if (epoch != null && current.compareAndSet(epoch, null)) {
            epoch.end(why);
            listener.down(why);
        }
    }

    private void endIfOverdue() {
        Epoch epoch = current.get();
        Call oldest = epoch == null ? null : epoch.oldest();
        if (epoch == null || oldest == null) {
            watching.set(false);
            watchAgainIfBusy();
            return;
        }
        long dueNanos = oldest.sentNanos() + commandTimeoutNanos;
        if (dueNanos - nanoTime.getAsLong() > 0) {
            deadlines.schedule(overdue, dueNanos);
            return;
        }
        watching.set(false);
        end(epoch, new TimeoutException("Redis did not answer within " + Duration.ofNanos(commandTimeoutNanos)));
        disconnect();
    }

    /** A call that came between the look at an empty flight and the end of the watch must not go unwatched. */
    private void watchAgainIfBusy() {
        Epoch epoch = current.get();
        if (epoch != null && epoch.oldest() != null && watching.compareAndSet(false, true)) {
            deadlines.schedule(overdue, nanoTime.getAsLong() + commandTimeoutNanos);
        }
    }

    /** Drops the TCP connection without closing the driver's; the driver then opens another. */
    private void disconnect() {
        if (connection instanceof RedisChannelHandler<?, ?> handler
                && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
            endpoint.disconnect();
        } else {
            log.warn("The silent connection to Redis cannot be dropped: unexpected driver type {}", connection);
        }
    }

    /** Without an answer the epoch is over before it was up, and the connection to fence off is still the one before. */
    private void named(Epoch epoch, Call info) {
        switch (info.outcome()) {
            case ANSWERED -> lastName = ServerSideName.parse(info.elements().toString());
            case REFUSED -> {
                lastName = null;
                log.debug("Redis does not tell the connection's name, so it cannot be fenced off: {}", info.error());
            }
            case UNKNOWN, NOT_SENT -> {
                return;
            }
        }
        ioThread = Thread.currentThread();
        epoch.up();
        listener.up();
        up.complete(null);
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
