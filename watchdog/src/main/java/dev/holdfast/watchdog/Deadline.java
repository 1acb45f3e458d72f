package dev.holdfast.watchdog;

/**
 * Something that is to happen at a time unless it is cancelled first. Extend it with the state the moment needs, and hand
 * it to {@link Deadlines#schedule}: the object is its own queue entry, so scheduling and cancelling it allocate nothing.
 *
 * <p>A deadline may be scheduled, moved, cancelled and scheduled again any number of times, but only ever with one
 * {@link Deadlines}.
 */
public abstract class Deadline extends HeapNode {
    /** For subclasses; a new deadline is not scheduled. */
    protected Deadline() {}

    /**
     * Called once per scheduling, on the timer's thread and under no lock, when the time has come. Every other deadline
     * waits meanwhile, so it must not block. The deadline is no longer scheduled and may schedule itself again. What it
     * throws is logged and stops nothing.
     *
     * <p>A {@link Deadlines#cancel} that answered false may have lost to this very call, which can then still be running
     * or about to start: an implementation looks at its own state before it acts.
     */
    protected abstract void expired();
}
