package dev.holdfast.internal.node;

import dev.holdfast.ConnectionRole;
import dev.holdfast.internal.report.EventPublisher;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the loss of one of the client's connections, and its re-establishment: alternately. Each is published once,
 * and the loss again when an attempt to reconnect has failed for a reason that was not published before. The end of a
 * connection may be reported while its beginning is being reported, so {@link #up} checks the connection again
 * afterwards.
 */
final class ConnectionWatch {
    /** How many reasons are published for one loss. */
    private static final int MOST_PUBLISHED = 10;

    private final ConnectionRole role;
    private final EventPublisher events;
    private final BooleanSupplier isUp;
    private final LongSupplier clock;

    /** Guarded by this. */
    private boolean lost;

    /** The time of the loss, while {@link #lost}. Guarded by this. */
    private long lostNanos;

    /** Why there is no connection, as far as is known. Guarded by this. */
    private @Nullable Throwable reason;

    /** The messages of the reasons that were published since the loss. Guarded by this. */
    private final Set<String> published = new HashSet<>();

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
            lost(why);
        }
        events.deliver();
    }

    /** Under the monitor. */
    private void lost(@Nullable Throwable why) {
        if (!lost) {
            lost = true;
            lostNanos = clock.getAsLong();
        }
        reason = why;
        if (published.size() < MOST_PUBLISHED && published.add(why == null ? "" : String.valueOf(why.getMessage()))) {
            events.noteDisconnected(role, why);
        }
    }

    /**
     * An attempt to make the connection has failed, for this reason, which is published unless it was before. One that was
     * never made counts as lost from now on.
     */
    void failed(Throwable why) {
        synchronized (this) {
            if (closed || (!lost && isUp.getAsBoolean())) {
                return;
            }
            lost(why);
        }
        events.deliver();
    }

    /** {@return since when there is no connection, and why; null if there is one, or there was none so far} */
    synchronized @Nullable Loss loss() {
        return lost && !closed && !isUp.getAsBoolean() ? new Loss(lostNanos, reason) : null;
    }

    /**
     * That there is no connection.
     *
     * @param sinceNanos by the clock of the watch
     * @param reason null if it is not known
     */
    record Loss(long sinceNanos, @Nullable Throwable reason) {}

    void up() {
        synchronized (this) {
            if (!lost || closed) {
                return;
            }
            lost = false;
            reason = null;
            published.clear();
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
            reason = why;
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
