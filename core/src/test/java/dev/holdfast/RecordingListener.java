package dev.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records the events of one lock, as in {@code "acquired"}. */
public final class RecordingListener implements LockListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<LockEvent> received = new CopyOnWriteArrayList<>();

    public List<String> events() {
        return List.copyOf(events);
    }

    /** {@return the same events as they were received} */
    public List<LockEvent> received() {
        return List.copyOf(received);
    }

    public List<String> owners() {
        return received.stream().map(LockEvent::owner).toList();
    }

    /** Waits until this is the latest event received. */
    public void awaitLast(String event) {
        Patience.await()
                .until(() -> !events.isEmpty() && events.get(events.size() - 1).equals(event));
    }

    private void add(String event, LockEvent about) {
        received.add(about);
        events.add(event);
    }

    @Override
    public void acquired(LockEvent.Acquired event) {
        add("acquired", event);
    }

    @Override
    public void busy(LockEvent.Busy event) {
        add("busy", event);
    }

    @Override
    public void failed(LockEvent.Failed event) {
        add("failed: " + event.error().getClass().getSimpleName(), event);
    }

    @Override
    public void waited(LockEvent.Waited event) {
        add("waited: " + event.outcome(), event);
    }

    @Override
    public void released(LockEvent.Released event) {
        add("released", event);
    }

    @Override
    public void renewed(LockEvent.Renewed event) {
        add("renewed", event);
    }

    @Override
    public void atRisk(LockEvent.AtRisk event) {
        add("at risk", event);
    }

    @Override
    public void lost(LockEvent.Lost event) {
        add("lost: " + event.reason(), event);
    }

    @Override
    public void orphanReleased(LockEvent.OrphanReleased event) {
        add("orphan released", event);
    }
}
