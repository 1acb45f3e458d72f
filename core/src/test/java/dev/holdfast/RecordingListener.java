package dev.holdfast;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what it hears, as in {@code "acquired"}, of one lock. */
final class RecordingListener implements LockListener {
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> owners = new CopyOnWriteArrayList<>();

    List<String> events() {
        return List.copyOf(events);
    }

    List<String> owners() {
        return List.copyOf(owners);
    }

    /** Waits until it has heard this as the latest. */
    void awaitLast(String event) {
        Patience.await()
                .until(() -> !events.isEmpty() && events.get(events.size() - 1).equals(event));
    }

    private void hear(String event, String owner) {
        owners.add(owner);
        events.add(event);
    }

    @Override
    public void acquired(String lock, String owner) {
        hear("acquired", owner);
    }

    @Override
    public void waited(String lock, String owner, Duration waited, boolean granted) {
        hear(granted ? "waited" : "waited in vain", owner);
    }

    @Override
    public void released(String lock, String owner, Duration held) {
        hear("released", owner);
    }

    @Override
    public void renewed(String lock, String owner) {
        hear("renewed", owner);
    }

    @Override
    public void lost(String lock, String owner, LeaseLoss loss) {
        hear("lost: " + loss.reason(), owner);
    }

    @Override
    public void orphanCleaned(String lock, String owner) {
        hear("orphan cleaned", owner);
    }
}
