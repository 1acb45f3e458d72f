package dev.holdfast.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
 * <p>A call is noted as in flight before the mark is looked at, so whatever was not refused by the mark is found and
 * settled by the end. The driver may still hold a command of an ended epoch, and would write it on the next connection:
 * it looks at {@code isDone} first, and a command of an ended epoch says that it is done.
 */
final class Epoch {
    private final long number;
    private final Consumer<Call.Wire> driver;

    /** In the order of sending, so that the head is the oldest. Settled calls leave from the head. */
    private final Queue<Call> inFlight = new ConcurrentLinkedQueue<>();

    /** Why it ended. Set once, before another epoch can begin, and before {@link #inFlight} is settled. */
    private final AtomicReference<@Nullable Throwable> end = new AtomicReference<>();

    /** Told when the driver gives up a command, which it does only when the connection has failed. */
    private final BiConsumer<Epoch, Throwable> onBroken;

    /** Whether calls are taken; until then, only those that prepare the connection are sent. */
    private volatile boolean open;

    Epoch(long number, Consumer<Call.Wire> driver, BiConsumer<Epoch, Throwable> onBroken) {
        this.number = number;
        this.driver = driver;
        this.onBroken = onBroken;
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

    /** Sends the call, or settles it as not sent if the epoch ends before. */
    void send(Call call, long nowNanos) {
        Call.Wire wire = call.begin(this, nowNanos);
        inFlight.add(call);
        Throwable ended = end.get();
        if (ended != null) {
            call.fail(Call.Outcome.NOT_SENT, ended);
            return;
        }
        dispatch(wire);
    }

    void dispatch(Call.Wire wire) {
        driver.accept(wire);
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
        for (Call call = inFlight.poll(); call != null; call = inFlight.poll()) {
            call.fail(Call.Outcome.UNKNOWN, why);
        }
    }

    int inFlight() {
        return inFlight.size();
    }
}
