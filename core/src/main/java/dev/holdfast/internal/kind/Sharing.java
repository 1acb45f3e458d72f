package dev.holdfast.internal.kind;

/**
 * How many owners can have a lock of one kind at the same time, which says what a waiter waits for. Both kinds of lock
 * are exclusive; the counted case is explored by the interleavings with a model of permits, for the semaphore.
 */
public enum Sharing {
    /** One. While an owner of this client has the lock, the waiters of this client wait for its release. */
    EXCLUSIVE,

    /** As many as there are permits. After a grant the next waiter attempts, until one finds that none is left. */
    COUNTED;

    /** {@return whether the lock may be granted to another owner as well while one has it} */
    public boolean admitsSeveral() {
        return this != EXCLUSIVE;
    }
}
