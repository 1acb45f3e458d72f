package dev.holdfast.spring.locked;

/** What a call acquires: a lock, several at once, or permits. */
sealed interface Target permits LockTarget, PermitsTarget {
    /** {@return the name, or those of all} */
    String name();

    LeaseSource leases();

    /** {@return whether a call that has the one, and requests the other, requests the same thing again} */
    boolean overlaps(Target other);

    /** {@return why a thread that holds it by a lease does not acquire it again} */
    String whyNotAgain();

    /** {@return whether it is held to the end of a transaction that was open before the call} */
    boolean outlastsCommit();
}
