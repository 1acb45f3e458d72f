package dev.holdfast.spring.locked;

import org.jspecify.annotations.Nullable;

/** Thrown instead of a call of a {@link Locked} method whose lock stayed busy, or whose thread was interrupted meanwhile. */
public class LockBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String lockName;

    /**
     * @param lockName the name of the lock
     * @param message names the lock and what happened
     * @param cause the interrupt that ended the wait, if any; the thread's flag is set again
     */
    public LockBusyException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /** {@return the name of the lock} */
    public String lockName() {
        return lockName;
    }
}
