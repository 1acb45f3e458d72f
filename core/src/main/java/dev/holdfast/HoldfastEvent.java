package dev.holdfast;

/**
 * Something that happened in a client and that its {@linkplain LockListener listeners} are told. What an event knows, it
 * knew when it happened, and not when it is told. May gain accessors and subclasses; it is not made to be extended.
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
    abstract void tell(LockListener listener);

    /** {@return whether it is told even when routine events are dropped because a listener is too slow} */
    boolean isAlarm() {
        return false;
    }
}
