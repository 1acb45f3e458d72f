package dev.holdfast.spring.locked;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown instead of a call of a {@link Locked} or {@link Limited} method whose lock, or permits, stayed busy, or whose thread was
 * interrupted during the wait.
 */
public class LockBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final Duration waited;

    /**
     * @param name the name of the lock or the semaphore, or those of all if the call was for several, separated by commas
     * @param waited how long the call has waited for it
     * @param message names it and what happened
     * @param cause the interrupt that ended the wait, if any; the thread's flag is set again
     */
    public LockBusyException(String name, Duration waited, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name;
        this.waited = waited;
    }

    /** {@return the name of the lock or the semaphore, or those of all if the call was for several, separated by commas} */
    public String name() {
        return name;
    }

    /** {@return how long the call has waited for it} */
    public Duration waited() {
        return waited;
    }
}
