package dev.holdfast.redis;

import io.lettuce.core.protocol.CommandType;
import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
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
 * <p>Calls are written on the I/O thread only, in the order of the line they stand in, whatever thread they come from. (The
 * driver alone would not keep that order: it writes at once on the I/O thread, and later what comes from others.) The task
 * that writes is the last thing the I/O thread does in its turn. So all that was sent since, by many threads, or by the
 * callers of one read's replies, leaves in one write to the socket; a call that comes alone waits for nothing.
 *
 * <p>A call stands in the line before the mark of the end is looked at, so what was not stopped by the mark is found by the
 * end and settled. Calls are written to this epoch's own channel, and not after the mark: no command of an epoch is ever
 * written on another connection.
 */
final class Epoch {
    /** How much is written before Redis gets to see the first of it. */
    private static final int MOST_UNFLUSHED = 64;

    private static final CommandPrefix NOTHING = CommandPrefix.of(CommandType.PING);

    private final long number;
    private final Channel channel;

    /** Told when the driver gives up a command, which it does only when the connection has failed. */
    private final BiConsumer<Epoch, Throwable> onBroken;

    private final InFlight inFlight;
    private final Runnable writer = this::writeAll;

    /** Whether the writer has been handed to the I/O thread and has not begun. */
    private final AtomicBoolean writing = new AtomicBoolean();

    /** The last call that was written; used on the I/O thread only. */
    private Call written;

    /** Why it ended. Set once, before another epoch can begin, and before what is in flight is settled. */
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();

    /** Whether calls are taken; until then, only those that prepare the connection are sent. */
    private volatile boolean open;

    Epoch(long number, Channel channel, BiConsumer<Epoch, Throwable> onBroken) {
        this.number = number;
        this.channel = channel;
        this.onBroken = onBroken;
        this.written = ScriptCommand.plain(NOTHING, 0, frame -> {}, call -> {});
        this.inFlight = new InFlight(written);
    }

    /** {@return the number of this epoch among those of its link, from 1} */
    long number() {
        return number;
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
            end(ended);
        } else if (!writing.get() && writing.compareAndSet(false, true)) {
            writeSoon();
        }
    }

    private void writeSoon() {
        try {
            channel.eventLoop().execute(writer);
        } catch (RejectedExecutionException e) {
            onBroken.accept(this, e);
        }
    }

    /** A call that is sent from now on finds that the writer has begun, and hands it over again. */
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

    /** On the I/O thread: writes a call that was refused as it was. If the epoch has ended, that settles it. */
    void writeAgain(Call call) {
        if (!isEnded()) {
            write(call);
            channel.flush();
        }
    }

    /** A write fails only with its channel, and a channel that fails ends the epoch: nobody need hear of the one. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void write(Call call) {
        channel.write(call);
    }

    /** Ends this epoch, which settles {@code call} with all others; a call outside of a link's epochs settles alone. */
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

    /** Settles all that is in flight as unknown. */
    void end(Throwable cause) {
        Throwable why = markEnded(cause);
        for (Call call = oldest(); call != null; call = oldest()) {
            call.complete(Call.Outcome.UNKNOWN, why);
        }
    }

    /** Drops the TCP connection without closing the driver's; the driver then opens another. */
    @SuppressWarnings("FutureReturnValueIgnored") // the driver tells
    void disconnect() {
        channel.disconnect();
    }

    int inFlight() {
        return inFlight.size();
    }
}
