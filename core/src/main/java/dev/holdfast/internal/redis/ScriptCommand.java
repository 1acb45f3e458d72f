package dev.holdfast.internal.redis;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call as a command of the driver: it encodes itself, and receives its reply. If the server does not know the script,
 * the call is written a second time, with the source, and settles with the answer to that.
 *
 * <p>The driver calls its methods on the I/O thread, except for {@link #isDone}.
 *
 * @see "ScriptTest, ForgottenScriptTest"
 */
final class ScriptCommand extends Call implements RedisCommand<byte[], byte[], Void> {
    private static final CommandPrefix ASKING = CommandPrefix.of(CommandType.ASKING);

    private final @Nullable Script script;

    /** The number of keys among the arguments; for a script only. */
    private final int keys;

    /** Whether it keeps its position before the calls sent after it, even if the server does not know its script. */
    private final boolean inOrder;

    private final int count;
    private final ArgumentWriter words;

    // Replaced on the I/O thread when the script is sent in full.
    private CommandPrefix head;
    private ReplyOutput output = new ReplyOutput();

    private ScriptCommand(
            @Nullable Script script,
            boolean inOrder,
            CommandPrefix head,
            int keys,
            int count,
            ArgumentWriter words,
            Callback caller) {
        super(caller);
        this.script = script;
        this.inOrder = inOrder;
        this.head = head;
        this.keys = keys;
        this.count = count;
        this.words = words;
    }

    /** {@return the call of a plain command with {@code count} bulk strings after its prefix} */
    static ScriptCommand plain(CommandPrefix head, int count, ArgumentWriter words, Callback caller) {
        return new ScriptCommand(null, true, head, 0, count, words, caller);
    }

    /** {@return the call of a script by its SHA} */
    static ScriptCommand of(
            Script script, boolean inOrder, int keys, int arguments, ArgumentWriter words, Callback caller) {
        return new ScriptCommand(script, inOrder, script.bySha(), keys, keys + arguments, words, caller);
    }

    /** {@return the call of a script with its source} */
    static ScriptCommand inFull(Script script, int keys, int arguments, ArgumentWriter words, Callback caller) {
        return new ScriptCommand(script, true, script.inFull(), keys, keys + arguments, words, caller);
    }

    /** {@return the command that has a node execute the next one although it does not own the slot yet} */
    static ScriptCommand asking(Epoch epoch) {
        ScriptCommand asking = plain(ASKING, 0, frame -> {}, reply -> noteAsked(epoch, reply));
        asking.begin(epoch, 0);
        return asking;
    }

    private static void noteAsked(Epoch epoch, Call reply) {
        if (reply.outcome() == Outcome.REFUSED) {
            epoch.routing().askingRefused(reply.error());
        }
    }

    @Override
    public void encode(ByteBuf out) {
        Epoch sentIn = epoch;
        Routing server = sentIn == null ? Routing.NONE : sentIn.routing();
        RespWriter frame = new RespWriter(out, head.words + (script == null ? 0 : 1) + count, server).head(head);
        if (script != null) {
            frame.number(keys);
        }
        words.writeTo(frame);
        frame.end();
    }

    @Override
    public void complete() {
        Epoch sentIn = epoch;
        if (sentIn != null) {
            sentIn.replied();
        }
        if (isSettled()) {
            return;
        }
        if (!output.hasError() && !canBeAnsweredBy(output)) {
            connectionBroke(new IOException("the answer to another call came in place of that to " + this));
        } else if (!output.hasError()) {
            answered(sentIn);
        } else if (script != null && isFirstTry(script) && sentIn != null && output.isNoScript()) {
            head = script.inFull();
            output = new ReplyOutput();
            sentIn.writeAgain(this);
        } else {
            NotExecutedException notExecuted = NotExecutedException.of(output.getError());
            if (notExecuted == null) {
                complete(Outcome.REFUSED, null);
            } else if (sentIn == null || !isForwarded(sentIn.routing(), notExecuted)) {
                complete(Outcome.NOT_EXECUTED, notExecuted);
            }
        }
    }

    private void answered(@Nullable Epoch sentIn) {
        ReplicaAcks acks = sentIn == null ? null : sentIn.replicaAcks();
        if (acks == null || !isToBeReplicated(output)) {
            believed(sentIn, null);
        } else {
            handOver();
            acks.await(why -> believed(sentIn, why));
        }
    }

    /** Settles it with its answer, unless that does not count. */
    private void believed(@Nullable Epoch sentIn, @Nullable Throwable notReplicated) {
        if (notReplicated != null) {
            complete(Outcome.UNKNOWN, notReplicated);
        } else if (sentIn != null && slot() >= 0 && !sentIn.routing().isHere(slot())) {
            complete(Outcome.UNKNOWN, new IOException("another node has the lock by now"));
        } else {
            complete(Outcome.ANSWERED, null);
        }
    }

    /**
     * Forwards this call if another node may have its keys. The calls behind it about the same keys are redirected as
     * well, and forwarded in the same order.
     */
    private boolean isForwarded(Routing routing, NotExecutedException why) {
        routing.notExecuted(why);
        Redirection redirection = why.redirection();
        Consumer<Call> other = redirection == null || redirection.type() != Redirection.Type.ASK || isAsked()
                ? null
                : routing.toAsk(redirection);
        if (other == null) {
            return false;
        }
        CommandPrefix first = script != null && !inOrder ? script.bySha() : head;
        ScriptCommand copy =
                new ScriptCommand(script, inOrder, first, keys, count, words, asked -> settleAs(asked, why));
        copy.ask(this);
        handOver();
        other.accept(copy);
        return true;
    }

    /** Takes over the outcome of a copy: one that was not sent has not been executed. */
    private void settleAs(Call copy, NotExecutedException why) {
        if (copy.outcome() == Outcome.NOT_SENT) {
            complete(Outcome.NOT_EXECUTED, why);
        } else {
            answeredAs(copy);
            output = ((ScriptCommand) copy).output;
            complete(copy.outcome(), copy.cause());
        }
    }

    @Override
    void settleWith(Call joint, List<Object> elements) {
        Epoch sentIn = joint.epoch;
        if (sentIn != null) {
            begin(sentIn, joint.sentNanos());
        }
        answeredAs(joint);
        if (elements.isEmpty()) {
            output = ((ScriptCommand) joint).output;
            complete(joint.outcome(), joint.cause());
        } else if (elements.get(0) instanceof Long) {
            output = ReplyOutput.of(elements);
            complete(Outcome.ANSWERED, null);
        } else {
            String error = elements.get(0).toString();
            output = new ReplyOutput();
            output.setError(error);
            NotExecutedException notExecuted = NotExecutedException.of(error);
            complete(notExecuted == null ? Outcome.REFUSED : Outcome.NOT_EXECUTED, notExecuted);
        }
    }

    /** Only the first try is repeated; otherwise a script that itself returns NOSCRIPT would be sent for ever. */
    private boolean isFirstTry(Script known) {
        return !inOrder && head == known.bySha();
    }

    @Override
    public boolean completeExceptionally(Throwable throwable) {
        connectionBroke(throwable);
        return true;
    }

    @Override
    public void cancel() {
        connectionBroke(new CancellationException("the connection was closed"));
    }

    private void connectionBroke(Throwable why) {
        Epoch sentIn = epoch;
        if (sentIn != null && !isSettled()) {
            sentIn.broken(this, why);
        }
    }

    /** True also once the epoch has ended: a call that was still queued in the driver then must not be written. */
    @Override
    public boolean isDone() {
        Epoch sentIn = epoch;
        return isSettled() || (sentIn != null && sentIn.isEnded());
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public ProtocolKeyword getType() {
        return head.type;
    }

    @Override
    @SuppressWarnings("NullAway") // it has no arguments object: it encodes itself
    public CommandArgs<byte[], byte[]> getArgs() {
        return null;
    }

    @Override
    public CommandOutput<byte[], byte[], Void> getOutput() {
        return output;
    }

    @Override
    public void setOutput(CommandOutput<byte[], byte[], Void> other) {
        throw new UnsupportedOperationException("a call reads its own reply");
    }

    @Override
    public long number() {
        return output.number();
    }

    @Override
    public List<Object> elements() {
        return output.elements();
    }

    @Override
    public String error() {
        return output.hasError() && (outcome() == Outcome.REFUSED || outcome() == Outcome.NOT_EXECUTED)
                ? output.getError()
                : "";
    }

    @Override
    public String toString() {
        return script == null ? head.type.toString() : script.toString();
    }
}
