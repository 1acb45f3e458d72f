package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of one TCP connection, from its first command to its end, and the calls in flight on it. Within an epoch
 * commands run in the order they were sent; when it ends, the outcome of every call in flight is unknown.
 *
 * <pre>
 *              open                markEnded               end
 *   OPENING ----------> OPEN ----------------> ENDED -------------> nothing in flight
 *      |                              ^
 *      +------------------------------+
 * </pre>
 *
 * <p>Calls are written on the I/O thread only, in the order of the {@link InFlight} queue, whatever thread sent them.
 * (The driver alone would not keep that order: it writes calls of the I/O thread at once, and those of other threads
 * later.) The I/O thread runs the write task last in an iteration of its event loop. So all calls sent since it was
 * submitted, by many threads or by the callbacks of the replies in one read, leave in one write to the socket; a single
 * call is not delayed.
 *
 * <p>A call is added to the queue before the end mark is read, so a call that did not see the mark is found by
 * {@link #end} and settled. Calls are written to this epoch's own channel, and not after the mark: no command of an
 * epoch is ever written on another connection.
 */
final class Epoch {
    /** The number of calls that are written before a flush. */
    private static final int MOST_UNFLUSHED = 64;

    private static final CommandPrefix NOTHING = CommandPrefix.of(CommandType.PING);

    private final long number;
    private final Channel channel;

    /** Called when the driver fails a command, which it does only when the connection has failed. */
    private final BiConsumer<Epoch, Throwable> onBroken;

    private final Routing routing;

    private final @Nullable Silence silence;

    /** Null where locks are not replicated. */
    private final @Nullable ReplicaAcks replicaAcks;

    private final InFlight inFlight;
    private final Runnable writer = this::writeAll;

    /** Whether the writer was submitted to the I/O thread and has not begun. */
    private final AtomicBoolean writing = new AtomicBoolean();

    /** The last call that was written; used on the I/O thread only. */
    private Call written;

    /** The cause of its end. Set once, before another epoch can begin, and before the calls in flight are settled. */
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();

    /** Whether calls are accepted; until then, only those that prepare the connection are sent. */
    private volatile boolean open;

    Epoch(long number, Channel channel, Routing routing, BiConsumer<Epoch, Throwable> onBroken) {
        this(number, channel, routing, null, () -> 0, onBroken);
    }

    /**
     * As above.
     *
     * @param replication what makes locks replicated; null if they are not
     * @param clock that of the calls
     */
    Epoch(
            long number,
            Channel channel,
            Routing routing,
            @Nullable Replication replication,
            LongSupplier clock,
            BiConsumer<Epoch, Throwable> onBroken) {
        this.number = number;
        this.channel = channel;
        this.routing = routing;
        this.silence = routing.newSilence();
        this.onBroken = onBroken;
        this.written = ScriptCommand.plain(NOTHING, 0, frame -> {}, call -> {});
        this.inFlight = new InFlight(written);
        this.replicaAcks = replication == null
                ? null
                : new ReplicaAcks(then -> send(
                        Call.of(
                                CommandType.WAIT,
                                reply -> then.accept(missing(replication, reply)),
                                ascii(replication.replicas()),
                                ascii(replication.timeoutMillis())),
                        clock.getAsLong()));
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(US_ASCII);
    }

    /** {@return why writes do not count as replicated after this reply to WAIT; null if they do} */
    private static @Nullable Throwable missing(Replication required, Call reply) {
        return switch (reply.outcome()) {
            case ANSWERED ->
                reply.number() >= required.replicas()
                        ? null
                        : new NotReplicatedException(reply.number() + " of " + required.replicas()
                                + " replicas have confirmed it within " + required.timeoutMillis() + " ms");
            case REFUSED -> new NotReplicatedException("Redis does not say whether replicas have it: " + reply.error());
            case NOT_EXECUTED, UNKNOWN, NOT_SENT -> reply.cause();
        };
    }

    /** {@return the number of this epoch among those of all links of the client, from 1} */
    long number() {
        return number;
    }

    /** {@return the address to which the connection was made} */
    SocketAddress server() {
        return channel.remoteAddress();
    }

    void open() {
        open = true;
    }

    boolean isOpen() {
        return open && !isEnded();
    }

    boolean isEnded() {
        return end.get() != null;
    }

    /** Sends the call, or settles it if the epoch has ended. */
    void send(Call call, long nowNanos) {
        Throwable ended = end.get();
        if (ended != null) {
            call.complete(Call.Outcome.NOT_SENT, ended);
            return;
        }
        call.begin(this, nowNanos);
        inFlight.add(call);
        ended = end.get();
        if (ended != null) {
            call.complete(Call.Outcome.UNKNOWN, ended);
            settleMissed(ended);
        } else if (!writing.get() && writing.compareAndSet(false, true)) {
            writeSoon();
        }
    }

    /**
     * While a call was being added, the thread that ended the epoch could not reach those behind it. They are settled on
     * the I/O thread, since the sender may hold a monitor that their callbacks need.
     */
    private void settleMissed(Throwable ended) {
        try {
            channel.eventLoop().execute(() -> end(ended));
        } catch (RejectedExecutionException closed) {
            end(ended);
        }
    }

    private void writeSoon() {
        try {
            channel.eventLoop().execute(writer);
        } catch (RejectedExecutionException e) {
            onBroken.accept(this, e);
        }
    }

    /** The flag is cleared first: a call that is added from now on submits the writer again. */
    private void writeAll() {
        writing.set(false);
        int unflushed = 0;
        for (Call call = written.next; call != null && !isEnded(); call = call.next) {
            written = call;
            write(call);
            if (++unflushed == MOST_UNFLUSHED) {
                channel.flush();
                unflushed = 0;
            }
        }
        if (unflushed > 0) {
            channel.flush();
        }
    }

    /** On the I/O thread: writes a call again in another form. If the epoch has ended, its end settles the call. */
    void writeAgain(Call call) {
        if (!isEnded()) {
            write(call);
            channel.flush();
        }
    }

    /** Ignores the write's future: a write fails only with its channel, and the failed channel ends the epoch. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void write(Call call) {
        if (call.isAsked()) {
            channel.write(ScriptCommand.asking(this));
        }
        channel.write(call);
    }

    /** On the I/O thread: a reply was read. */
    void replied() {
        if (silence != null) {
            silence.replied();
        }
    }

    /** {@return the silences of this connection; null if the node cannot be replaced by another one} */
    @Nullable
    Silence silence() {
        return silence;
    }

    /** {@return what the replicas have confirmed on this connection; null where locks are not replicated} */
    @Nullable
    ReplicaAcks replicaAcks() {
        return replicaAcks;
    }

    /** {@return where else calls may have to be sent} */
    Routing routing() {
        return routing;
    }

    /**
     * Ends this epoch, which settles {@code call} with all others; if the epoch is no link's, only the call is settled.
     */
    void broken(Call call, Throwable why) {
        onBroken.accept(this, why);
        call.complete(Call.Outcome.UNKNOWN, why);
    }

    /** {@return the call that has been waiting longest for its answer, or null if none is in flight} */
    @Nullable
    Call oldest() {
        return inFlight.oldest();
    }

    void passSettled() {
        inFlight.passSettled();
    }

    /**
     * From now on nothing is sent in this epoch.
     *
     * @return why it has ended: the reason that was given first
     */
    Throwable markEnded(Throwable why) {
        Throwable before = end.compareAndExchange(null, why);
        return before == null ? why : before;
    }

    /** Settles all calls in flight as unknown. */
    void end(Throwable cause) {
        Throwable why = markEnded(cause);
        for (Call call = oldest(); call != null; call = oldest()) {
            call.complete(Call.Outcome.UNKNOWN, why);
        }
    }

    /** Closes the TCP connection without closing the driver's connection, so that the driver reconnects. */
    @SuppressWarnings("FutureReturnValueIgnored") // the driver reports the disconnect
    void disconnect() {
        channel.disconnect();
    }

    int inFlight() {
        return inFlight.size();
    }
}
