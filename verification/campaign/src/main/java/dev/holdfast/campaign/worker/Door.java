package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;

/** The API by which one owner acquires locks. Used by one thread, the actor's. */
interface Door {
    /** {@return the granted level, if the lock was granted} The call and its outcome are recorded before it returns. */
    Optional<Stay> enter(Turn turn);

    /** {@return whether the owner may re-enter what it holds} */
    default boolean isReentrant() {
        return false;
    }

    /** {@return whether its calls block, so that they have to handle an interrupt} */
    boolean isBlocking();
}
