package dev.holdfast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when Redis failed, refused a command, or did not answer, so that the state of the lock is unknown. Never
 * thrown for a lock that is merely busy.
 */
public class LockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String[] names;

    /**
     * A failure of the client itself, which is about no lock.
     *
     * @param message says what happened
     * @param cause the error that the driver reported, if any
     */
    public LockException(String message, @Nullable Throwable cause) {
        this(message, cause, List.of());
    }

    /**
     * A failure of a call for a lock, or for several.
     *
     * @param message names the lock, the owner and what happened
     * @param cause the error that the driver reported, if any
     * @param names the names of the locks that the failure is about
     */
    public LockException(String message, @Nullable Throwable cause, List<String> names) {
        super(message, cause);
        this.names = names.toArray(String[]::new);
    }

    /**
     * {@return the names of the locks that the failure is about, without the client's {@linkplain HoldfastBuilder#keyPrefix
     * prefix}} Several if a call for a {@link MultiLock}, or for any segment of a {@link SegmentedLock}, had no answer for
     * them; empty if the client itself failed, as when it cannot connect. Unmodifiable.
     */
    public List<String> names() {
        return List.of(names);
    }
}
