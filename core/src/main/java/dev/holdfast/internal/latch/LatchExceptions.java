package dev.holdfast.internal.latch;

import dev.holdfast.LatchGoneException;
import dev.holdfast.LockException;
import dev.holdfast.internal.session.LockExceptions;
import java.util.List;

/** Creates the exceptions for callers that await a latch. */
final class LatchExceptions {
    private LatchExceptions() {}

    /** The count is gone, and not because its lifetime was over: it was deleted, or nothing is left of it in Redis. */
    static LatchGoneException deleted(LatchKey latch) {
        return new LatchGoneException(
                latch.subject() + " was deleted before its count was zero, as far as Redis shows",
                LatchGoneException.Reason.DELETED,
                names(latch));
    }

    static LatchGoneException expired(LatchKey latch) {
        return new LatchGoneException(
                latch.subject() + " has expired: its lifetime was over before its count was zero",
                LatchGoneException.Reason.EXPIRED,
                names(latch));
    }

    /** The client is closed. */
    static LockException closed(LatchKey latch) {
        return new LockException(
                latch.subject() + " was awaited in vain: the client was closed (CLOSED)", null, names(latch));
    }

    /** No message of the latch will arrive. */
    static LockException subscriptionRefused(LatchKey latch, Throwable refusal) {
        return new LockException(
                latch.subject() + " cannot be awaited: " + LockExceptions.subscriptionRefusal(latch, refusal),
                refusal,
                names(latch));
    }

    private static List<String> names(LatchKey latch) {
        return List.of(latch.name());
    }
}
