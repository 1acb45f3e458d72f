package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.internal.redis.Call;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    /** {@return the state of the lock, as these elements of the reply say; empty if the key is not one of such a lock} */
    Optional<LockInfo> read(LockKey lock, List<Object> state);

    /** {@return the same of all sides of the lock, if it has several} */
    default Optional<LockInfo> readAllSides(LockKey lock, List<Object> state) {
        return read(lock, state);
    }

    /** {@return which kind of lock the key is one of by its state, as the scripts name it; null unless it is another one} */
    @Nullable
    String otherKind(LockKey lock, List<Object> state);

    /** Releases the lock, whichever owner has it. */
    Call forceUnlock(LockKey lock, Call.Callback caller);
}
