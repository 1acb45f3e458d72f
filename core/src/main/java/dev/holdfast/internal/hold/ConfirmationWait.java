package dev.holdfast.internal.hold;

import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Confirmation;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Waits for what others say about nodes that have confirmed some holds and may have been replaced before. No hold is lost
 * by that: the wait begins when this is created, and ends when half of the time has passed for which the first of the holds
 * is valid without the replies. So holds that are told of together, by several replies, have one wait.
 *
 * <p>A reply counts for a hold unless another node is the master. If the wait ends before there is an answer, it counts
 * only for those holds that are not valid for longer by then than the first one was when the wait began: the others can
 * wait for the next reply.
 */
public final class ConfirmationWait {
    /** Longer than others are asked: a wait for holds that are valid for hours does not need a timer for as long. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** What the wait has come to. */
    public enum Found {
        /** The node is the master, or no other node says which one is. */
        NOT_REPLACED,
        /** Another node is the master. */
        REPLACED,
        /** The wait was over before there was an answer. */
        TOO_LATE
    }

    /** For how long the first of the holds to run out was valid when the wait began. */
    private final long shortestNanos;

    private final CompletableFuture<Found> over = new CompletableFuture<>();

    /** @param holds which the replies confirm; those that are not valid any more do not shorten the wait */
    public ConfirmationWait(Session session, List<Hold> holds) {
        this.shortestNanos = holds.stream()
                .mapToLong(Hold::validNanos)
                .filter(nanos -> nanos > 0)
                .min()
                .orElse(0);
        long nanos = Math.min(shortestNanos / 2, LONGEST.toNanos());
        session.after(Duration.ofNanos(nanos), () -> over.complete(Found.TOO_LATE));
    }

    /** {@return completes when there is an answer about the node of this reply, or the wait is over} */
    public CompletionStage<Found> answer(Call reply) {
        return reply.confirm()
                .handle((answer, failure) -> answer == Confirmation.REPLACED ? Found.REPLACED : Found.NOT_REPLACED)
                .applyToEither(over, Function.identity());
    }

    /** {@return whether the reply counts for this hold} */
    public boolean isBelieved(Hold hold, Found found) {
        return switch (found) {
            case NOT_REPLACED -> true;
            case REPLACED -> false;
            case TOO_LATE -> hold.validNanos() <= shortestNanos;
        };
    }
}
