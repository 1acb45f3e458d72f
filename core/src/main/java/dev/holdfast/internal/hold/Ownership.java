package dev.holdfast.internal.hold;

import dev.holdfast.Lease;

/** The kind of owner that a hold belongs to. */
public enum Ownership {
    /** The calling thread: a hold acquired by a blocking call is not renewed after the thread's death. */
    THREAD,
    /** An owner id, whose lifetime is not known. */
    OWNER_ID,
    /** A {@link Lease}: the hold is not renewed after the lease was garbage collected. */
    HANDLE,
    /** Several owners of this client together, each of which has a hold of its own beside it. */
    GROUP
}
