package dev.holdfast;

import dev.holdfast.internal.session.Settings;

/** Package-private access, for tests in other packages. */
public final class Inside {
    private Inside() {}

    public static Settings settings(HoldfastBuilder builder) {
        return builder.settings();
    }

    public static String residue(Holdfast client) {
        return client.residue();
    }
}
