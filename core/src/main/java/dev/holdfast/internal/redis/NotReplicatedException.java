package dev.holdfast.internal.redis;

import java.io.Serial;

/** Redis has executed a command, and it is not known whether enough replicas have its effect. */
public final class NotReplicatedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    NotReplicatedException(String message) {
        super(message, null, false, false);
    }
}
