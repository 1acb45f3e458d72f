package dev.holdfast;

import java.util.List;

/**
 * Thrown to a caller that awaits a {@link DistributedCountDownLatch} whose count is gone without having been counted to zero.
 * Nothing will open that latch any more; a count that is set afterwards is another one.
 */
public class LatchGoneException extends LockException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** How the count was lost. */
    public enum Reason {
        /**
         * It was deleted: by {@link DistributedCountDownLatch#delete}, or with the data in Redis; or it was set shortly before a
         * failover, and the new master never had it; or it ended more than ten minutes ago, while this client could not look.
         */
        DELETED,

        /** Its lifetime was over. */
        EXPIRED
    }

    /**
     * @param message names the latch and what happened
     * @param reason how the count was lost
     * @param names the name of the latch
     */
    public LatchGoneException(String message, Reason reason, List<String> names) {
        super(message, null, names);
        this.reason = reason;
    }

    /** {@return how the count was lost} */
    public Reason reason() {
        return reason;
    }
}
