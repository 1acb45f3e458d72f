package dev.holdfast.internal.node;

import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.TimeLimit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A command about a lock or latch that depends on no hold, and its answer.
 *
 * <pre>
 *            send             answered, or refused
 *   CREATED ------> SENT ------------------------------> ENDED: the answer is complete
 *                   |  ^                                   ^
 *                   v  | there is a connection again,      | the time is over
 *                 WAITING  or commands are executed -------+
 * </pre>
 *
 * <p>It is sent again if it was not sent or not executed; and if it is repeatable, also if that is not known: the connection
 * was lost, or the key moved, before there was a reply that counts.
 *
 * @param <T> what the answer is read as
 */
public abstract class Query<T> implements Call.Callback {
    private final Session session;
    private final Homes homes;
    private final SynchronizerKey key;
    private final boolean repeatable;
    private final long startNanos;
    private final long untilNanos;
    private final CompletableFuture<T> answer = new CompletableFuture<>();

    /** Why it was not answered, when it was sent last. */
    private volatile @Nullable Throwable trouble;

    private volatile boolean unanswered;

    /**
     * @param repeatable whether it does no harm to execute it twice
     * @param longestNanos how long it may take, from now on
     */
    protected Query(Session session, Homes homes, SynchronizerKey key, boolean repeatable, long longestNanos) {
        this.session = session;
        this.homes = homes;
        this.key = key;
        this.repeatable = repeatable;
        this.startNanos = session.now();
        this.untilNanos = startNanos + longestNanos;
    }

    /** {@return the call to send to this home, each time} */
    protected abstract Call call(Home home);

    /** Reads the reply to it, and {@linkplain #complete completes} the answer. */
    protected abstract void answered(Call call);

    /** {@return the exception for the end of its time} By default a question without an answer. */
    protected RuntimeException unanswered(long waitedNanos, @Nullable Throwable cause) {
        return session.exceptions().unanswered(key, waitedNanos, cause);
    }

    /** {@return its answer, which fails if Redis refuses the command, or does not answer in time} */
    public final CompletableFuture<T> answer() {
        return answer;
    }

    /** {@return whether the answer has failed because there was none in time} */
    public final boolean isUnanswered() {
        return unanswered;
    }

    /** Sends it, and ends it a moment after its time even while a call is in flight. */
    @SuppressWarnings("FutureReturnValueIgnored") // cancelling does not fail
    public final void beginLimited() {
        send();
        if (!answer.isDone()) {
            TimeLimit limit = TimeLimit.at(session.deadlines(), untilNanos, this::giveUp);
            answer.whenComplete((answered, failure) -> limit.cancel());
        }
    }

    /** Sends it. A call that is in flight when its time is over is still awaited. */
    public final void send() {
        if (!answer.isDone()) {
            Home home = homes.of(key);
            home.send(key, call(home));
        }
    }

    protected final void complete(T value) {
        answer.complete(value);
    }

    @Override
    public final void completed(Call call) {
        Home home = homes.of(key);
        home.noteOutcome(call);
        switch (call.outcome()) {
            case ANSWERED -> read(call);
            case REFUSED -> home.errors().explain(call.error(), key, key.subject(), answer::completeExceptionally);
            case UNKNOWN -> {
                trouble = call.cause();
                if (repeatable) {
                    sendAgain(home, call);
                } else {
                    giveUp();
                }
            }
            case NOT_EXECUTED, NOT_SENT -> {
                trouble = call.cause();
                sendAgain(home, call);
            }
        }
    }

    /** A malformed reply, or a defect, must not keep the caller waiting. */
    private void read(Call call) {
        try {
            answered(call);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private void sendAgain(Home home, Call failed) {
        home.connectionWait().await(key, failed, this::send, untilNanos, this::giveUp);
    }

    private void giveUp() {
        unanswered = true;
        answer.completeExceptionally(unanswered(session.now() - startNanos, trouble));
    }
}
