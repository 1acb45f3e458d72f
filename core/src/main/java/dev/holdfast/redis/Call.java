package dev.holdfast.redis;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command on its way to Redis and back. It is used once, and its {@link Callback} hears of it exactly once, with one
 * of the outcomes of {@link Outcome}; the getters are meaningful from then on.
 *
 * <p>The caller runs on the thread that learnt the outcome, mostly the driver's I/O thread: it must not block.
 */
public abstract sealed class Call permits ScriptCommand {

    /** What became of a command. */
    public enum Outcome {
        /** Redis ran it and answered; the reply is here. */
        ANSWERED,
        /** Redis answered with an error. A script may have stopped half way. */
        REFUSED,
        /** Redis answered that it does not execute it at present: it has had no effect. See {@link NotExecutedException}. */
        NOT_EXECUTED,
        /** It was sent and its connection ended before the answer: it may or may not have had its effect. */
        UNKNOWN,
        /** There was no connection to send it on: it has had no effect and never will. */
        NOT_SENT
    }

    /** Hears what became of a call. */
    @FunctionalInterface
    public interface Callback {
        /** Called exactly once for each call that was handed to {@link RedisLink#send}. */
        void completed(Call call);
    }

    private static final Logger log = LoggerFactory.getLogger(Call.class);
    private static final Callback NOBODY = call -> {};
    private static final VarHandle OUTCOME;

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(Call.class, "outcome", Outcome.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Read by the thread that set {@link #outcome}, and forgotten by it: the call may be kept longer than who made it. */
    private Callback caller;

    /** Written once, by compare-and-set, by whoever settles the call. */
    @SuppressWarnings("unused")
    private volatile @Nullable Outcome outcome;

    /** Written by the thread that set {@link #outcome}, before the caller hears of it. */
    private @Nullable Throwable cause;

    // Written by the sending thread, before the call is among those in flight.
    private long sentNanos;
    private @Nullable Epoch epoch;

    /** The smallest positive integer that can be an answer to it; 0 if nothing is known of that. */
    private long leastAnswer;

    /** The same for each element, of a call whose answer has so many; null of all others. */
    private long @Nullable [] leastElements;

    /** The call sent after this one; the call itself when it has been left behind. See {@link InFlight}. */
    volatile @Nullable Call next;

    Call(Callback caller) {
        this.caller = caller;
    }

    /** {@return a call of a plain command} */
    public static Call of(ProtocolKeyword keyword, Callback caller, byte[]... words) {
        return ScriptCommand.plain(CommandPrefix.of(keyword, words), 0, frame -> {}, caller);
    }

    /**
     * Says by what an answer to another call is known: it has no integer, or a positive one below this. If the call is paired
     * with such a one, an answer was lost from the midst of its connection, and none that comes after it can be trusted: the
     * epoch ends. To be called before it is sent.
     */
    public final Call expectAtLeast(long least) {
        leastAnswer = least;
        return this;
    }

    /**
     * Says the same of a call that is about as many as these, and answered with an element for each: an integer, or the text of
     * an error. Any other number of elements is the answer to another call, and so is one in which an element is a positive
     * integer below its least, or nil.
     */
    public final Call expectAtLeastEach(long... least) {
        leastElements = least;
        return this;
    }

    /** {@return whether this can be the answer to it, as far as is known} */
    final boolean canBeAnsweredBy(ReplyOutput output) {
        long[] each = leastElements;
        if (each != null) {
            return output.isFromEach(each);
        }
        return leastAnswer == 0 || output.isFrom(leastAnswer);
    }

    /** {@return what became of it} */
    public final Outcome outcome() {
        Outcome completed = outcome;
        if (completed == null) {
            throw new IllegalStateException("a call has no outcome before it is settled");
        }
        return completed;
    }

    /** {@return the reply's first integer; only of a call that was answered} */
    public abstract long number();

    /** {@return all elements of the reply, integers as {@code Long} and the rest as {@code String}} */
    public abstract List<Object> elements();

    /** {@return Redis's error message, of a call that was refused or not executed; empty otherwise} */
    public abstract String error();

    /** {@return whether Redis refused it because it does not know the script, and so did nothing} */
    public abstract boolean isUnknownScript();

    /** {@return why the outcome is {@code UNKNOWN}, {@code NOT_SENT} or {@code NOT_EXECUTED}} */
    public final @Nullable Throwable cause() {
        return cause;
    }

    /** {@return the monotonic time just before the command was handed over to be written, in nanoseconds} */
    public final long sentNanos() {
        return sentNanos;
    }

    /**
     * {@return the number of the connection epoch it was sent in; 0 if it never was} Of two calls of one epoch, the one
     * sent first runs first, if either runs at all.
     */
    public final long epochNumber() {
        Epoch sentIn = epoch;
        return sentIn == null || outcome == Outcome.NOT_SENT ? 0 : sentIn.number();
    }

    final @Nullable Epoch epoch() {
        return epoch;
    }

    final boolean isSettled() {
        return outcome != null;
    }

    /** Binds the call to the connection epoch it is sent in. */
    final void begin(Epoch sentIn, long nowNanos) {
        epoch = sentIn;
        sentNanos = nowNanos;
    }

    /** Settles the call and tells the caller. False if it was settled already. */
    final boolean complete(Outcome how, @Nullable Throwable why) {
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        cause = why;
        Epoch current = epoch;
        if (current != null) {
            current.passSettled();
        }
        Callback told = caller;
        caller = NOBODY;
        try {
            told.completed(this);
        } catch (Throwable e) {
            // It has nobody to go to, and must not keep other calls of the connection from being settled.
            log.error("{} could not be settled", this, e);
        }
        return true;
    }
}
