package dev.holdfast.spring.locked;

import java.util.OptionalLong;

/** A lock that a method runs under. */
interface Hold {
    String name();

    boolean isValid();

    /**
     * Verifies that the lock is held. Local while the hold counts as valid; otherwise Redis is asked whether it is lost.
     *
     * @throws dev.holdfast.LeaseLostException if it was lost
     * @throws dev.holdfast.LockException if that cannot be known, since Redis failed or did not answer
     */
    void check();

    /** {@return the fencing token, if the lock is fenced} */
    OptionalLong token();
}
