package dev.holdfast;

import java.util.List;

/**
 * Thrown when the name of a lock is in use for a lock of another kind: a read-write lock where {@link Holdfast#getLock} or
 * {@link Holdfast#getFencedLock} is called for, Redisson's included. Its message names both kinds. The two exclude each
 * other in no useful way, so nothing is waited for: use another name.
 *
 * <p>It is found out while the other lock is held. When that is free, there is nothing in Redis that says of which kind it was.
 */
public class WrongKindException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the lock, the owner and both kinds
     * @param names the names of the locks
     */
    public WrongKindException(String message, List<String> names) {
        super(message, null, names);
    }
}
