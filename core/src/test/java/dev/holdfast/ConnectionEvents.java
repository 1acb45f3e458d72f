package dev.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The outages of connections of which a client has told, in the order in which it did. */
public final class ConnectionEvents implements LockListener {
    private final List<ConnectionEvent> events = new CopyOnWriteArrayList<>();

    /** {@return all so far; the list grows} */
    public List<ConnectionEvent> all() {
        return events;
    }

    @Override
    public void disconnected(ConnectionEvent.Disconnected event) {
        events.add(event);
    }

    @Override
    public void reconnected(ConnectionEvent.Reconnected event) {
        events.add(event);
    }
}
