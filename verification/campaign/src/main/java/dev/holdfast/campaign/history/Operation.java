package dev.holdfast.campaign.history;

import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import org.jspecify.annotations.Nullable;

/**
 * A call, and what came of it.
 *
 * @param returned null if its process was killed, or the history ended, before it came back
 */
public record Operation(Called called, @Nullable Returned returned) {
    /** The time of an operation that has never come back: later than any other. */
    public static final long NEVER = Long.MAX_VALUE;

    public Op op() {
        return called.op();
    }

    public String lock() {
        return called.lock();
    }

    public String owner() {
        return called.owner();
    }

    /** {@return the client of the owner} */
    public String client() {
        return clientOf(owner());
    }

    /** {@return the part of an owner's name that all owners of its client share} */
    public static String clientOf(String owner) {
        int colon = owner.indexOf(':');
        return colon < 0 ? owner : owner.substring(0, colon);
    }

    /**
     * {@return those with which it stands in line, by name} A client has a line of its own for the plain lock of a name and for the
     * fenced one.
     */
    public String line() {
        return client() + (called.fenced() ? " fenced" : "");
    }

    /** {@return when it came back, {@link #NEVER} if it did not} */
    public long end() {
        return returned == null ? NEVER : returned.at();
    }

    /** {@return whether it came back with this outcome} */
    public boolean is(Outcome outcome) {
        return returned != null && returned.outcome() == outcome;
    }

    /** {@return whether it said what it did; of others it is unknown whether they took effect, and when} */
    public boolean isKnown() {
        return returned != null && returned.outcome().isKnown();
    }

    /** {@return the token it was granted, 0 if none} */
    public long token() {
        return returned == null ? 0 : returned.token();
    }

    /** {@return the levels its owner had after it, 0 if unknown} */
    public int holds() {
        return returned == null ? 0 : returned.holds();
    }
}
