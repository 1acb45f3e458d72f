package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Op;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change of a lock, or a fact about it, that took effect on the server at one moment between two: a returned call, a
 * renewal, a loss of data.
 *
 * @param since the earliest moment
 * @param until the latest moment
 * @param kind whether it must have happened, and whether it changes the lock
 * @param owner the only owner for which it can change a held lock; {@link #ANY_OWNER} if there is no such restriction
 * @param hold the hold that must exist for it, by the acquisition that began it; null if none must
 * @param effect the effect on the lock
 * @param name for the report of a violation; evaluated only then
 */
record Step(
        long since,
        long until,
        Kind kind,
        String owner,
        @Nullable Op hold,
        Effect effect,
        Supplier<String> name) {
    /** The step can change the lock whichever owner holds it. */
    static final String ANY_OWNER = "";

    /** The kinds of steps. */
    enum Kind {
        /** It has happened. */
        CHANGES,
        /** It may have happened. */
        MAY_CHANGE,
        /**
         * It has happened, and left the lock as it was, so that it can be placed where it first fits. A proof that a
         * lease is longer is of this kind.
         */
        READS
    }

    /** The effect of a step on a lock. */
    interface Effect {
        /** {@return every state that is possible afterwards; none if the step cannot have happened in this state} */
        List<LockState> on(LockState state);
    }

    /**
     * {@return whether the step can have an effect in this state} A cheap test, since most steps wait for another
     * owner's hold.
     */
    boolean concerns(LockState state) {
        return !state.isHeld() || owner.equals(ANY_OWNER) || owner.equals(state.owner());
    }
}
