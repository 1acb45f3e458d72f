package dev.holdfast;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by an unlock or close of which only the release is unconfirmed: the lock counted as held until the release
 * began, and Redis then refused the release, or did not answer. <b>The work is done, so do not repeat it</b>: it was
 * protected to its end.
 *
 * <p>For the caller, the lock counts as released. It is no longer renewed; the client retries the release until the lease has
 * run out, so other owners may have to wait for that long. After {@link Lease#closeAfter} it may also be free before the
 * delay has passed. {@link LockListener#releaseUnconfirmed} is called too, and the
 * first such release of an outage is logged as a warning.
 *
 * <p>{@link DistributedLock#runLocked} and {@link DistributedLock#callLocked} return their result instead. A caller that
 * releases by itself does likewise if it catches this exception. If the lock may have been lost before the release, another
 * {@link LockException} is thrown, and {@link LeaseLostException} if it was.
 */
public class ReleaseUnconfirmedException extends LockException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the lock, the owner and what happened
     * @param cause the error that the driver reported, if any
     * @param names the names of the locks
     */
    public ReleaseUnconfirmedException(String message, @Nullable Throwable cause, List<String> names) {
        super(message, cause, names);
    }
}
