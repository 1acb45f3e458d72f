package dev.holdfast.pubsub;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A wire whose connection is made later, or never.
 *
 * <pre>
 *                  connect                        close
 *   UNCONNECTED -----------> that wire, started -----------> CLOSED
 *        \                                                     ^
 *         +--- close -----------------------------------------+--- connect: that wire is closed
 * </pre>
 */
final class LaterWire implements Wire {
    private final Events events;

    /** Written once. */
    private volatile @Nullable Wire connected;

    /** Guarded by this. */
    private boolean closed;

    LaterWire(Events events) {
        this.events = events;
    }

    /**
     * Uses this connection from now on.
     *
     * @return whether it is used; otherwise this is closed, and so is the connection
     */
    boolean connect(Function<Events, Wire> attach) {
        Wire made = attach.apply(events);
        boolean late;
        synchronized (this) {
            late = closed;
            if (!late) {
                connected = made;
            }
        }
        if (late) {
            made.close();
        } else {
            made.start();
        }
        return !late;
    }

    @Override
    public void start() {}

    @Override
    public boolean isConnected() {
        Wire made = connected;
        return made != null && made.isConnected();
    }

    @Override
    public void use(ChannelKind kind) {
        Wire made = connected;
        if (made != null) {
            made.use(kind);
        }
    }

    @Override
    public boolean isOver(Object endpoint) {
        Wire made = connected;
        return made != null && made.isOver(endpoint);
    }

    @Override
    public void subscribe(Collection<String> channels) {
        Wire made = connected;
        if (made != null) {
            made.subscribe(channels);
        }
    }

    @Override
    public void unsubscribe(Collection<String> channels) {
        Wire made = connected;
        if (made != null) {
            made.unsubscribe(channels);
        }
    }

    @Override
    public @Nullable String clientInfo() {
        Wire made = connected;
        return made == null ? null : made.clientInfo();
    }

    @Override
    public void ping() {
        Wire made = connected;
        if (made != null) {
            made.ping();
        }
    }

    @Override
    public void disconnect() {
        Wire made = connected;
        if (made != null) {
            made.disconnect();
        }
    }

    @Override
    public CompletionStage<Void> close() {
        Wire made;
        synchronized (this) {
            closed = true;
            made = connected;
        }
        return made == null ? CompletableFuture.allOf() : made.close();
    }
}
