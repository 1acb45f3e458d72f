package dev.holdfast.redis;

import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command on its way to Redis and back. It is used once, and its {@link Caller} hears of it exactly once, with one
 * of the outcomes of {@link Outcome}; the getters are meaningful from then on.
 *
 * <p>The caller runs on the thread that learnt the outcome, mostly the driver's I/O thread: it must not block.
 */
public final class Call {

    /** What became of a command. */
    public enum Outcome {
        /** Redis ran it and answered; the reply is here. */
        ANSWERED,
        /** Redis answered with an error. A script may have stopped half way. */
        REFUSED,
        /** It was sent and its connection ended before the answer: it may or may not have had its effect. */
        UNKNOWN,
        /** There was no connection to send it on: it has had no effect and never will. */
        NOT_SENT
    }

    /** Hears what became of a call. */
    @FunctionalInterface
    public interface Caller {
        /** Called exactly once for each call that was handed to {@link RedisLink#send}. */
        void settled(Call call);
    }

    private static final Logger log = LoggerFactory.getLogger(Call.class);
    private static final VarHandle OUTCOME;

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(Call.class, "outcome", Outcome.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Script script;

    /** Whether the call keeps its place among those sent after it, even when the server does not know its script. */
    private final boolean inOrder;

    private final ProtocolKeyword keyword;
    private final byte[][] arguments;
    private final Caller caller;

    /** Replaced on the I/O thread when the script has to be sent a second time, in full. */
    private ReplyOutput output = new ReplyOutput();

    /** Written once, by compare-and-set, by whoever settles the call. */
    @SuppressWarnings("unused")
    private volatile @Nullable Outcome outcome;

    /** Written by the thread that set {@link #outcome}, before the caller hears of it. */
    private @Nullable Throwable cause;

    /** Written by the sending thread before the command is handed to the driver. */
    private long sentNanos;

    private @Nullable Epoch epoch;

    Call(@Nullable Script script, boolean inOrder, ProtocolKeyword keyword, byte[][] arguments, Caller caller) {
        this.script = script;
        this.inOrder = inOrder;
        this.keyword = keyword;
        this.arguments = arguments;
        this.caller = caller;
    }

    /** {@return a call of a plain command} */
    public static Call of(ProtocolKeyword keyword, Caller caller, byte[]... arguments) {
        return new Call(null, true, keyword, arguments, caller);
    }

    /** {@return what became of it} */
    public Outcome outcome() {
        Outcome settled = outcome;
        if (settled == null) {
            throw new IllegalStateException("a call has no outcome before it is settled");
        }
        return settled;
    }

    /** {@return the reply's first integer; only of a call that was answered} */
    public long number() {
        return output.number();
    }

    /** {@return all elements of the reply, integers as {@code Long} and the rest as {@code String}} */
    public List<Object> elements() {
        return output.elements();
    }

    /** {@return Redis's error message, of a call that was refused; empty otherwise} */
    public String error() {
        return outcome() == Outcome.REFUSED ? output.getError() : "";
    }

    /** {@return whether Redis refused it because it does not know the script, and so did nothing} */
    public boolean isUnknownScript() {
        return outcome() == Outcome.REFUSED && output.isNoScript();
    }

    /** {@return why the outcome is {@code UNKNOWN} or {@code NOT_SENT}} */
    public @Nullable Throwable cause() {
        return cause;
    }

    /** {@return the monotonic time just before the command was handed to the driver, in nanoseconds} */
    public long sentNanos() {
        return sentNanos;
    }

    /**
     * {@return the number of the connection epoch it was sent in; 0 if it never was} Of two calls of one epoch, the one
     * sent first runs first, if either runs at all.
     */
    public long epochNumber() {
        Epoch sentIn = epoch;
        return sentIn == null || outcome == Outcome.NOT_SENT ? 0 : sentIn.number();
    }

    boolean isSettled() {
        return outcome != null;
    }

    /** Whether its bytes must not be written any more: it is settled, or its epoch is over and will settle it. */
    private boolean isOver() {
        Epoch sentIn = epoch;
        return isSettled() || (sentIn != null && sentIn.isEnded());
    }

    /** Binds the call to the connection epoch it is sent in. */
    Wire begin(Epoch epoch, long nowNanos) {
        this.epoch = epoch;
        this.sentNanos = nowNanos;
        return new Wire(keyword, arguments, this);
    }

    /** Settles without an answer. False if it was settled already. */
    boolean fail(Outcome how, Throwable why) {
        return settle(how, why);
    }

    private void answered() {
        if (!output.hasError()) {
            settle(Outcome.ANSWERED, null);
            return;
        }
        Script known = script;
        Epoch current = epoch;
        if (known != null && !inOrder && current != null && output.isNoScript()) {
            output = new ReplyOutput();
            current.dispatch(new Wire(CommandType.EVAL, known.inFull(arguments), this));
            return;
        }
        settle(Outcome.REFUSED, null);
    }

    private void connectionBroke(Throwable why) {
        Epoch current = epoch;
        if (current != null && !isSettled()) {
            current.broken(this, why);
        }
    }

    private boolean settle(Outcome how, @Nullable Throwable why) {
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        cause = why;
        Epoch current = epoch;
        if (current != null) {
            current.forgetSettled();
        }
        try {
            caller.settled(this);
        } catch (Throwable e) {
            // It has nobody to go to, and must not keep other calls of the connection from being settled.
            log.error("{} could not be settled", this, e);
        }
        return true;
    }

    @Override
    public String toString() {
        return script == null ? keyword.toString() : script.toString();
    }

    /** The driver's view of a call: one command on the wire. A script the server did not know makes two of one call. */
    static final class Wire extends Command<byte[], byte[], Void> {
        private static final byte[] CRLF = {'\r', '\n'};

        private final byte[][] arguments;
        private final Call call;

        private Wire(ProtocolKeyword keyword, byte[][] arguments, Call call) {
            super(keyword, call.output);
            this.arguments = arguments;
            this.call = call;
        }

        @Override
        public void complete() {
            super.complete();
            if (!call.isSettled()) {
                call.answered();
            }
        }

        @Override
        public boolean completeExceptionally(Throwable throwable) {
            super.complete();
            call.connectionBroke(throwable);
            return true;
        }

        @Override
        public void cancel() {
            super.cancel();
            call.connectionBroke(new CancellationException("the connection was closed"));
        }

        /** A call that came to its end while its bytes still waited in the driver must never be written. */
        @Override
        public boolean isDone() {
            return super.isDone() || call.isOver();
        }

        @Override
        public void encode(ByteBuf out) {
            out.writeByte('*');
            writeNumber(out, 1 + arguments.length);
            writeBulk(out, getType().getBytes());
            for (byte[] argument : arguments) {
                writeBulk(out, argument);
            }
        }

        private static void writeBulk(ByteBuf out, byte[] bytes) {
            out.writeByte('$');
            writeNumber(out, bytes.length);
            out.writeBytes(bytes);
            out.writeBytes(CRLF);
        }

        private static void writeNumber(ByteBuf out, int number) {
            out.writeCharSequence(Integer.toString(number), StandardCharsets.US_ASCII);
            out.writeBytes(CRLF);
        }
    }
}
