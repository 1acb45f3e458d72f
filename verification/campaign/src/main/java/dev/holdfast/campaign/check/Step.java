package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Something that took effect on the server at one moment between two: a call that came back, a renewal, a loss of data.
 *
 * @param since the earliest moment
 * @param until the latest
 * @param kind whether it must have happened, and to what purpose
 * @param owner the one without whom it cannot change a held lock; {@link #ANYBODY} if that is not known
 * @param hold the one that must be there for it, by the acquisition that began it; null if it can happen without
 * @param effect what becomes of the lock
 * @param name for a complaint; asked for only then
 */
record Step(
        long since,
        long until,
        Kind kind,
        String owner,
        @Nullable Op hold,
        Effect effect,
        Supplier<String> name) {
    /** Whoever has the lock, the step can change it. */
    static final String ANYBODY = "";

    /** What is known of a step before it is looked at. */
    enum Kind {
        /** It has happened. */
        CHANGES,
        /** It may have happened. */
        MAY_CHANGE,
        /**
         * It has happened, and left the lock as it was, so that nothing is lost by putting it where it first fits. To prove
         * that a lease is longer counts as looking.
         */
        LOOKS
    }

    /** What a step makes of a lock. */
    interface Effect {
        /** {@return each lock that there can be afterwards; none if this cannot have happened to such a lock} */
        List<LockState> on(LockState state);
    }

    /** {@return whether it is worth asking what it makes of such a lock; cheap, for most steps wait for another's hold} */
    boolean concerns(LockState state) {
        return !state.isHeld() || owner.equals(ANYBODY) || owner.equals(state.owner());
    }
}
