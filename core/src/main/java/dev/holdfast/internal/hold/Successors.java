package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The waiters for one lock in this client: they decide which owner gets it when an owner of this client releases it or has
 * lost it.
 */
public interface Successors {
    /**
     * An owner releases the last level of its hold.
     *
     * @return false if the caller is to send the release now; true if the lock is handed off, or its release is
     *     deferred
     */
    boolean handOff(Hold from, Release release);

    /** An owner of this client no longer holds the lock, and has not released it. */
    void gone(Hold holder);

    /** A release of this client was answered, which did not leave the lock free for any client: the message says which one can have it. */
    void released(Publication message);

    /**
     * This tenure of an owner is about to be released as an orphan, and with it every older one.
     *
     * @return whether one of these was to be granted the lock: {@link #wake} is owed once the release was answered
     */
    boolean releasing(long ownerId, long orphaned);

    /**
     * {@return completes when a handoff from this owner that may still be refused has its outcome; null if there is none}
     */
    @Nullable
    CompletableFuture<@Nullable Void> unansweredHandoff(long ownerId);

    /** {@return whether this client listens to the line of clients} The lock's release may grant it to one of them. */
    boolean knowsOfLine();

    /**
     * Another command about the lock is about to be sent: the handoffs that Redis does not know are sent before.
     *
     * @return the home of the lock, to which they were sent: the command is to be sent there
     */
    Home commitHandoffs();

    /** {@return whether any owner waits} */
    boolean hasWaiters();

    /**
     * {@return whether owners wait behind another client, and have no place in the line of clients yet, but are to get one}
     *
     * @param changed if so, runs once, outside any monitor, when an owner has left, or was granted the lock, or its attempt was
     *     answered. It replaces the one that was given before. It is not run when a place is not wanted any more for another
     *     reason, such as a missing right
     */
    boolean awaitPlace(Runnable changed);

    /** {@return when Redis last reported the lock busy, or confirmed that an owner of this client holds it} */
    long busyNanos();

    /** The lock may be free, and no message announces it. */
    void wake();
}
