package dev.holdfast.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The life of one TCP connection, from its first command to its end, and the calls in flight on it. Within an epoch
 * commands run in the order they were sent; when it ends, the outcome of every call in flight is unknown.
 *
 * <p>The driver may still hold a command of an ended epoch and write it on the next connection: it looks at
 * {@code isDone} first, and a call that is settled says that it is done.
 */
final class Epoch {
    private final StatefulRedisConnection<byte[], byte[]> connection;

    /** In the order of sending, so that the head is the oldest. Settled calls leave from the head. */
    private final Queue<Call> inFlight = new ConcurrentLinkedQueue<>();

    /** Set once, before {@link #inFlight} is settled. */
    private volatile @Nullable Throwable end;

    /** Told when the driver gives up a command, which it does only when the connection has failed. */
    private final BiConsumer<Epoch, Throwable> onBroken;

    /** Whether calls are taken; until then, only those that prepare the connection are sent. */
    private volatile boolean open;

    Epoch(StatefulRedisConnection<byte[], byte[]> connection, BiConsumer<Epoch, Throwable> onBroken) {
        this.connection = connection;
        this.onBroken = onBroken;
    }

    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    /** Sends the call, or settles it as not sent if the epoch ends before. */
    void send(Call call, long nowNanos) {
        Call.Wire wire = call.begin(this, nowNanos);
        inFlight.add(call);
        Throwable ended = end;
        if (ended != null) {
            call.fail(Call.Outcome.NOT_SENT, ended);
            return;
        }
        dispatch(wire);
    }

    void dispatch(Call.Wire wire) {
        connection.dispatch(wire);
    }

    /** Ends this epoch, which settles {@code call} with all others; a call outside of a link's epochs settles alone. */
    void broken(Call call, Throwable why) {
        onBroken.accept(this, why);
        call.fail(Call.Outcome.UNKNOWN, why);
    }

    /** {@return the call that has been waiting longest for its answer, or null if none is in flight} */
    @Nullable
    Call oldest() {
        forgetSettled();
        return inFlight.peek();
    }

    void forgetSettled() {
        for (Call head = inFlight.peek(); head != null && head.isSettled(); head = inFlight.peek()) {
            inFlight.remove(head);
        }
    }

    /** Settles all that is in flight as unknown. Must be called once. */
    void end(Throwable why) {
        end = why;
        for (Call call = inFlight.poll(); call != null; call = inFlight.poll()) {
            call.fail(Call.Outcome.UNKNOWN, why);
        }
    }

    int inFlight() {
        return inFlight.size();
    }
}
