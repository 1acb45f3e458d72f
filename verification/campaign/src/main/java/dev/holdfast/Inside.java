package dev.holdfast;

/** What the library keeps to itself, for those who check on it. */
public final class Inside {
    private Inside() {}

    /** {@return how much of the client's inner state is in use; empty when nothing is held, wanted or under way} */
    public static String residue(Holdfast holdfast) {
        return holdfast.residue();
    }

    /** {@return the owner's name of a handle's hold, as the client's listener hears it and Redis has it} */
    public static String owner(Lease lease) {
        return ((LeaseHandle) lease).owner();
    }
}
