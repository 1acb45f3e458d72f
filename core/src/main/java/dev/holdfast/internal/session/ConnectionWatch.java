package dev.holdfast.internal.session;

import dev.holdfast.ConnectionRole;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the loss of one of the client's connections, and its re-establishment: alternately, each once. The end of a
 * connection may be reported while its beginning is being reported, so {@link #up} checks the connection again
 * afterwards.
 */
final class ConnectionWatch {
    private final ConnectionRole role;
    private final EventPublisher events;
    private final BooleanSupplier isUp;
    private final LongSupplier clock;

    /** Guarded by this. */
    private boolean lost;

    /** The time of the loss, while {@link #lost}. Guarded by this. */
    private long lostNanos;

    /** Guarded by this. */
    private boolean closed;

    /** @param isUp whether the connection is up, as far as is known */
    ConnectionWatch(ConnectionRole role, EventPublisher events, BooleanSupplier isUp, LongSupplier clock) {
        this.role = role;
        this.events = events;
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
            events.noteDisconnected(role, why);
        }
        events.deliver();
    }

    void up() {
        synchronized (this) {
            if (!lost || closed) {
                return;
            }
            lost = false;
            events.noteReconnected(role, Duration.ofNanos(clock.getAsLong() - lostNanos));
        }
        events.deliver();
        if (!isUp.getAsBoolean()) {
            down(null);
        }
    }

    /** The connection of another node is given up for that of this one, which is not up yet. */
    void replaces(ConnectionWatch former, Throwable why) {
        former.down(why);
        long since;
        synchronized (former) {
            former.closed = true;
            since = former.lostNanos;
        }
        synchronized (this) {
            lost = true;
            lostNanos = since;
        }
        if (isUp.getAsBoolean()) {
            up();
        }
    }

    /** Publishes nothing from now on: the client closes its connections. */
    synchronized void close() {
        closed = true;
    }
}
