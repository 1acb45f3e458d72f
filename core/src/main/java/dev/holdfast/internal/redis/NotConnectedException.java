package dev.holdfast.internal.redis;

import java.io.IOException;
import java.io.Serial;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call was not sent for lack of a connection, or that ended before the reply. Its message has the reason why there is no
 * other, as far as that is known when the message is read: the first call for a node is what has it connected to, and fails
 * before that does; and attempts to reconnect fail after the connection has ended.
 */
final class NotConnectedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient @Nullable Supplier<@Nullable Throwable> reason;

    /** @param what the beginning of the message */
    NotConnectedException(String what, Supplier<@Nullable Throwable> reason) {
        super(what);
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        Throwable known = reason == null ? null : reason.get();
        return super.getMessage() + (known == null ? "" : ": " + known.getMessage());
    }
}
