package dev.holdfast;

import dev.holdfast.internal.view.LeaseHandle;

/** Access to internals of the library, for the checks of the campaign. */
public final class Inside {
    private Inside() {}

    /**
     * {@return which parts of the client's internal state are in use; empty if no lock is held and no call is in
     * progress}
     */
    public static String residue(Holdfast holdfast) {
        return holdfast.residue();
    }

    /** {@return the owner of a handle's hold, as listeners receive it and as Redis stores it} */
    public static String owner(Lease lease) {
        return ((LeaseHandle) lease).owner();
    }
}
