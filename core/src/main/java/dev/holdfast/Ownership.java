package dev.holdfast;

/** Whose a hold is. */
enum Ownership {
    /** The calling thread's: a blocking hold ends with it. */
    THREAD,
    /** An owner id's, which nothing is known of. */
    OWNER_ID,
    /** A {@link Lease}'s: it ends when that is collected. */
    HANDLE
}
