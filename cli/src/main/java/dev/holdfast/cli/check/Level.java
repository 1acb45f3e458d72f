package dev.holdfast.cli.check;

import java.util.Locale;

/** How a deployment meets what is asked of it, the best first. */
public enum Level {
    /** As it should be. */
    OK,
    /** Worth a look, or unknown. */
    NOTE,
    /** Locks work, but a promise is weaker, or an outage longer, than it has to be. */
    WARNING,
    /** Locks do not work, or are lost without a failure of any machine. */
    ERROR;

    /** {@return the word that is printed} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
