package dev.holdfast;

/**
 * An event in a client, which is published to its {@linkplain LockListener listeners}. Its values are those of the
 * moment when it happened, not of its delivery. May gain accessors and subclasses; not intended to be extended by
 * users.
 */
public abstract class HoldfastEvent {
    private final String clientId;

    HoldfastEvent(String clientId) {
        this.clientId = clientId;
    }

    /** {@return the {@linkplain Holdfast#clientId() id} of the client} */
    public String clientId() {
        return clientId;
    }

    /** Calls the listener's method for this event. */
    public abstract void deliverTo(LockListener listener);

    /** {@return whether this event is delivered even when routine events are dropped because a listener is too slow} */
    public boolean isAlarm() {
        return false;
    }
}
