package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis failed, refused, or did not answer, so that nothing can be said about the lock. Never thrown for a
 * lock that is merely busy.
 */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the lock, the owner and what happened
     * @param cause what the driver reported, if anything
     */
    public LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
