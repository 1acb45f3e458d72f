package dev.holdfast.internal.redis;

import java.io.IOException;
import java.io.Serial;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call was not sent for lack of a connection. Its message has the reason, as far as that is known when the message is
 * read: the first call for a node is what has it connected to, and fails before that does.
 */
final class NotConnectedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient @Nullable Supplier<@Nullable Throwable> reason;

    NotConnectedException(Supplier<@Nullable Throwable> reason) {
        super("there is no connection to Redis");
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        Throwable known = reason == null ? null : reason.get();
        return super.getMessage() + (known == null ? "" : ": " + known.getMessage());
    }
}
