package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;

/** How one owner asks for locks. Used by one thread, the actor's. */
interface Door {
    /** {@return a stay, if the lock was granted} What was asked and what came of it has been recorded by then. */
    Optional<Stay> enter(Turn turn);

    /** {@return whether the owner may enter again what it holds} */
    boolean isReentrant();

    /** {@return whether its calls block, so that an interrupt is theirs to deal with} */
    boolean isBlocking();
}
