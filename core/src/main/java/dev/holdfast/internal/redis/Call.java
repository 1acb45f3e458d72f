package dev.holdfast.internal.redis;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command to Redis, with its reply. It is used once, and its {@link Callback} is called exactly once, with one of
 * the outcomes of {@link Outcome}; the getters are meaningful from then on.
 *
 * <p>The callback runs on the thread that completed the call, mostly the driver's I/O thread: it must not block.
 */
public abstract sealed class Call permits ScriptCommand {

    /** The outcome of a command. */
    public enum Outcome {
        /** Redis executed it and answered; the reply is available. */
        ANSWERED,
        /** Redis answered with an error. A script may have been executed in part. */
        REFUSED,
        /**
         * Redis answered that it does not execute it at present: it has had no effect. See
         * {@link NotExecutedException}.
         */
        NOT_EXECUTED,
        /**
         * It was sent, and its connection ended before the answer, or the answer is not believed because another node
         * has the lock by now: it may or may not have had its effect.
         */
        UNKNOWN,
        /** There was no connection to send it on: it has had no effect, and will have none. */
        NOT_SENT
    }

    /** Receives the outcome of a call. */
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

    /** Read and cleared by the thread that set {@link #outcome}, since the call may be referred to for longer. */
    private Callback caller;

    /** Written once, by compare-and-set, by the thread that settles the call. */
    @SuppressWarnings("unused")
    private volatile @Nullable Outcome outcome;

    /** Written by the thread that set {@link #outcome}, before it runs the callback. */
    private @Nullable Throwable cause;

    // Written by the sending thread, before the call is among those in flight.
    private long sentNanos;

    @Nullable
    Epoch epoch;

    /** The slot of its keys in a cluster; -1 if it has none, or the server is alone. */
    private short slot = -1;

    /** Whether the node is to execute it although the slot of its keys is not its own yet. */
    private boolean asked;

    /** Whether a grant in its answer counts only when enough replicas have it. */
    private boolean replicated;

    /** The call whose answer this one has, if that was sent in its place; written before it is settled. */
    private @Nullable Call answeredAs;

    /** Whether its epoch does not settle it any more: another node was asked, or replicas are awaited. */
    private volatile boolean handedOver;

    /** The smallest positive integer that can be its answer; 0 if not known. */
    private long leastAnswer;

    /** The same for each element of the answer, if it is an array of that size; null for all other calls. */
    private long @Nullable [] leastElements;

    /** The call sent after this one; the call itself once the head has moved past it. See {@link InFlight}. */
    volatile @Nullable Call next;

    Call(Callback caller) {
        this.caller = caller;
    }

    /** {@return a call of a plain command} */
    public static Call of(ProtocolKeyword keyword, Callback caller, byte[]... words) {
        return ScriptCommand.plain(CommandPrefix.of(keyword, words), 0, frame -> {}, caller);
    }

    /**
     * Sets how to recognise an answer that belongs to another call: it has no integer, or a positive one below
     * {@code least}. If the call gets such an answer, an answer before it was lost on the connection, and none that
     * follows can be trusted: the epoch ends. To be called before the call is sent.
     */
    public final Call expectAtLeast(long least) {
        leastAnswer = least;
        return this;
    }

    /**
     * Sets the same for a call whose answer has as many elements as these, each an integer or the text of an error. An
     * answer belongs to another call if it has any other number of elements, or if an element is nil or a positive
     * integer below its least.
     */
    public final Call expectAtLeastEach(long... least) {
        leastElements = least;
        return this;
    }

    /**
     * Sets the slot of its keys. If the slot is moved to another node before the answer arrives, the outcome is
     * {@link Outcome#UNKNOWN}. To be called before the call is sent.
     */
    public final void isAbout(int keysSlot) {
        slot = (short) keysSlot;
    }

    /**
     * Has its answer wait until enough replicas have what it grants, where locks are replicated. If too few of them confirm
     * that in time, the outcome is {@link Outcome#UNKNOWN}, and its cause a {@link NotReplicatedException}. To be called
     * before the call is sent.
     */
    public final Call replicated() {
        replicated = true;
        return this;
    }

    /** {@return whether the callback gets this answer only when replicas have what it grants} One that grants nothing is not. */
    final boolean isToBeReplicated(ReplyOutput output) {
        return replicated && (leastElements == null ? output.number() > 0 : output.hasPositive());
    }

    /**
     * Settles this call, which was not sent, with another one that was sent in its place.
     *
     * @param elements those of the reply that are about this call, the first an integer or the message of an error; empty if
     *     there is no reply
     */
    abstract void settleWith(Call joint, List<Object> elements);

    /**
     * Runs an action when enough replicas have what this call wrote: at once where locks are not replicated, and never if
     * that is not confirmed. To be called when it was answered.
     */
    public final void onceReplicated(Runnable action) {
        Call other = answeredAs;
        if (other != null) {
            other.onceReplicated(action);
            return;
        }
        ReplicaAcks acks = epoch == null ? null : epoch.replicaAcks();
        if (acks == null) {
            action.run();
        } else {
            acks.await(why -> {
                if (why == null) {
                    action.run();
                }
            });
        }
    }

    final int slot() {
        return slot;
    }

    final boolean isAsked() {
        return asked;
    }

    /** Becomes a copy of a call that was redirected: it is executed by a node that does not own the slot yet. */
    final void ask(Call redirected) {
        asked = true;
        leastAnswer = redirected.leastAnswer;
        leastElements = redirected.leastElements;
        replicated = redirected.replicated;
    }

    /** Something else settles this call from now on: the epoch that it was sent in does so no more. */
    final void handOver() {
        handedOver = true;
        Epoch sentIn = epoch;
        if (sentIn != null) {
            sentIn.passSettled();
        }
    }

    /** {@return whether this can be its answer, as far as is known} */
    final boolean canBeAnsweredBy(ReplyOutput output) {
        long[] each = leastElements;
        if (each != null) {
            return output.isFromEach(each);
        }
        return leastAnswer == 0 || output.isFrom(leastAnswer);
    }

    /** {@return the outcome} */
    public final Outcome outcome() {
        Outcome completed = outcome;
        if (completed == null) {
            throw new IllegalStateException("a call has no outcome before it is settled");
        }
        return completed;
    }

    /** {@return the reply's first integer; only for a call that was answered} */
    public abstract long number();

    /**
     * Has other calls, which are not sent themselves, be settled with this one: each with its elements of the reply, or
     * with the outcome of this one.
     *
     * @param parts as many as divide the elements of the reply evenly, in their order
     * @return the callback of the call that is sent in their place
     */
    public static Callback joint(List<Call> parts) {
        return joint -> {
            List<Object> elements = joint.outcome() == Outcome.ANSWERED ? joint.elements() : List.of();
            int each = elements.size() / parts.size();
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).settleWith(joint, elements.subList(i * each, (i + 1) * each));
            }
        };
    }

    /** {@return all elements of the reply, integers as {@code Long} and the rest as {@code String}} */
    public abstract List<Object> elements();

    /** {@return Redis's error message if the call was refused or not executed; empty otherwise} */
    public abstract String error();

    /** {@return why the outcome is {@code UNKNOWN}, {@code NOT_SENT} or {@code NOT_EXECUTED}} */
    public final @Nullable Throwable cause() {
        return cause;
    }

    /** {@return the monotonic time just before the command was queued to be written, in nanoseconds} */
    public final long sentNanos() {
        return sentNanos;
    }

    /**
     * {@return the number of the connection epoch it was sent in; 0 if it never was} Of two calls of one epoch that are
     * about the same lock, the one sent first runs first, if either runs at all.
     */
    public final long epochNumber() {
        Epoch sentIn = epoch;
        return sentIn == null || outcome == Outcome.NOT_SENT ? 0 : sentIn.number();
    }

    /**
     * {@return whether the node that has answered it, being one of several, may have been replaced before, since it was
     * silent} To be asked when the call is settled; {@link #confirm} finds out.
     */
    public final boolean isDoubtful() {
        Call other = answeredAs;
        if (other != null) {
            return other.isDoubtful();
        }
        Silence silence = epoch == null ? null : epoch.silence();
        return silence != null && silence.makesDoubtful(sentNanos);
    }

    /**
     * Asks other nodes whether the one that has answered this call is still the master.
     *
     * @return completes on any thread, with whether they say so
     */
    public final CompletionStage<Boolean> confirm() {
        Call other = answeredAs;
        Epoch sentIn = epoch;
        if (other != null) {
            return other.confirm();
        }
        return sentIn == null
                ? CompletableFuture.completedStage(true)
                : sentIn.routing().confirmAgain();
    }

    /** Takes over the answer to another call, that was sent in place of this one, to another node perhaps. */
    final void answeredAs(Call other) {
        answeredAs = other;
    }

    /** {@return whether its epoch has nothing more to do for it} */
    final boolean isSettled() {
        return outcome != null || handedOver;
    }

    /** Binds the call to the connection epoch it is sent in. */
    final void begin(Epoch sentIn, long nowNanos) {
        epoch = sentIn;
        sentNanos = nowNanos;
    }

    /** Settles the call and runs the callback. False if it was settled already. */
    final boolean complete(Outcome how, @Nullable Throwable why) {
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        cause = why;
        Epoch current = epoch;
        if (current != null) {
            current.passSettled();
        }
        Callback settledBy = caller;
        caller = NOBODY;
        try {
            settledBy.completed(this);
        } catch (Throwable e) {
            // No caller can handle it, and it must not keep other calls of the connection from being settled.
            log.error("{} could not be settled", this, e);
        }
        return true;
    }
}
