package dev.holdfast;

import dev.holdfast.internal.session.Settings;

/** What users do not see, for tests in other packages. */
public final class Inside {
    private Inside() {}

    public static Settings settings(HoldfastBuilder builder) {
        return builder.settings();
    }

    public static String residue(Holdfast client) {
        return client.residue();
    }
}
