package dev.holdfast.spring.locked;

import java.util.OptionalLong;

/** A lock, several at once, or permits, that a method runs under. */
interface Hold {
    /** {@return what is held} */
    Target target();

    /** {@return whether the hold is a level of its thread, which that thread can enter again} */
    boolean isLevel();

    /**
     * {@return whether the work has ended that it is for} A coroutine that was started by that work may outlive it, on a thread that
     * is still in the hold.
     */
    boolean hasEnded();

    boolean isValid();

    /**
     * Verifies that it is held. Local while the hold counts as valid; otherwise Redis is asked whether it is lost.
     *
     * @throws dev.holdfast.LeaseLostException if it was lost
     * @throws dev.holdfast.LockException if that cannot be known, since Redis failed or did not answer
     */
    void check();

    /**
     * {@return the fencing token, if the lock is fenced}
     *
     * @param name the name of one of the locks
     */
    OptionalLong token(String name);

    /**
     * Ends the hold, which is that of the calling thread no more. A release that is only unconfirmed is no failure: the lock
     * was held to the end of the work, and the client reports it.
     *
     * @throws dev.holdfast.LeaseLostException if it was lost
     * @throws dev.holdfast.LockException if Redis failed or did not answer, and the lock may have been lost before; it
     *     counts as ended
     */
    void release();
}
