package dev.holdfast;

/**
 * Access to internals of the library, for the checks of the campaign. Earlier builds take part in it, so this is only
 * what the class {@link Holdfast} has had under this name for long, package-private.
 */
public final class Inside {
    private Inside() {}

    /**
     * {@return which parts of the client's internal state are in use; empty if no lock is held and no call is in
     * progress}
     */
    public static String residue(Holdfast holdfast) {
        return holdfast.residue();
    }
}
