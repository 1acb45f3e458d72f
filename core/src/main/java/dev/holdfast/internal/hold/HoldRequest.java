package dev.holdfast.internal.hold;

import org.jspecify.annotations.Nullable;

/** The call that a hold is offered to, as the hold knows it. */
interface HoldRequest {
    LeaseRequest lease();

    Ownership ownership();

    /** {@return the thread whose death ends the hold's renewal; null if there is none} */
    @Nullable
    Thread boundThread();

    /** {@return whether the call ended with the lock} */
    boolean isGranted();
}
