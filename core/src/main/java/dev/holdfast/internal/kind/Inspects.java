package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;

/** A kind whose locks can be inspected and forced open, whichever owners have them. */
public interface Inspects {
    /**
     * {@return the kind of this lock}
     *
     * @throws IllegalArgumentException if that kind cannot be inspected
     */
    static Inspects of(LockKey lock) {
        if (lock.kind() instanceof Inspects kind) {
            return kind;
        }
        throw new IllegalArgumentException("lock '" + lock + "' is of a kind that cannot be inspected");
    }

    /** Reads the state of the lock. */
    Call inspect(LockKey lock, Call.Callback caller);

    /** Releases the lock, whichever owner has it. */
    Call forceUnlock(LockKey lock, Call.Callback caller);
}
