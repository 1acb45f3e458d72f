package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.LockKey;

/** Decides who gets a lock that an owner of this client releases or has lost. Implemented by the waiters. */
public interface Successors {
    /**
     * An owner releases the last level of its hold.
     *
     * @return false if the caller is to send the release now; true if the lock is handed off, or its release is
     *     deferred
     */
    boolean handOff(Hold from, Release release);

    /** Reports how many clients received the message of a release. */
    void received(LockKey lock, int clients);

    /** An owner of this client no longer holds the lock, and has not released it. */
    void gone(Hold holder);

    /**
     * An owner of this client has lost its hold, whether or not it was known as the holder: the lock may be free.
     */
    void lost(Hold hold);

    /** The lock may be free, and no message announces it. */
    void wake(LockKey lock);
}
