package dev.holdfast;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells when one of the client's connections is lost, and when it is there again: by turns, each once. The end of a connection
 * may be reported while its beginning is; so who reports a beginning looks again afterwards.
 */
final class ConnectionWatch {
    private final ConnectionRole role;
    private final EventPublisher notices;
    private final BooleanSupplier isUp;
    private final LongSupplier clock;

    /** Guarded by this. */
    private boolean lost;

    /** When it was lost, if it is. Guarded by this. */
    private long lostNanos;

    /** Guarded by this. */
    private boolean closed;

    /** @param isUp whether there is a connection now, as far as is known */
    ConnectionWatch(ConnectionRole role, EventPublisher notices, BooleanSupplier isUp, LongSupplier clock) {
        this.role = role;
        this.notices = notices;
        this.isUp = isUp;
        this.clock = clock;
    }

    void down(@Nullable Throwable why) {
        synchronized (this) {
            if (lost || closed) {
                return;
            }
            lost = true;
            lostNanos = clock.getAsLong();
            notices.noteDisconnected(role, why);
        }
        notices.deliver();
    }

    void up() {
        synchronized (this) {
            if (!lost || closed) {
                return;
            }
            lost = false;
            notices.noteReconnected(role, Duration.ofNanos(clock.getAsLong() - lostNanos));
        }
        notices.deliver();
        if (!isUp.getAsBoolean()) {
            down(null);
        }
    }

    /** Tells nothing from now on: the client ends its connections. */
    synchronized void close() {
        closed = true;
    }
}
