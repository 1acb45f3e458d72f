package dev.holdfast.watchdog;

/**
 * An action that runs at a given time unless it is cancelled first. Extend it with the state that the action needs, and
 * pass it to {@link Deadlines#schedule}: the object is its own queue entry, so scheduling and cancelling it allocate
 * nothing.
 *
 * <p>A deadline may be scheduled, moved, cancelled and scheduled again any number of times, but only ever with one
 * {@link Deadlines}.
 */
public abstract class Deadline extends DeadlineHeap.Node {
    /** For subclasses; a new deadline is not scheduled. */
    protected Deadline() {}

    /** {@return a deadline that runs this action when it has come} */
    public static Deadline of(Runnable action) {
        return new Deadline() {
            @Override
            protected void expired() {
                action.run();
            }
        };
    }

    /**
     * Called once per scheduling, on the timer's thread and without a lock held, when the time has come. Every other
     * deadline waits for its return, so it must not block. The deadline is no longer scheduled and may schedule itself
     * again. An exception is logged and does not affect other deadlines.
     *
     * <p>A {@link Deadlines#cancel} that returned false may have lost the race against this very call, which can then
     * still be running or about to start: an implementation must check its own state before it acts.
     */
    protected abstract void expired();
}
