package dev.holdfast;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis failed, refused a command, or did not answer, so that the state of the lock is unknown. Never
 * thrown for a lock that is merely busy.
 */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the lock, the owner and what happened
     * @param cause the error that the driver reported, if any
     */
    public LockException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
