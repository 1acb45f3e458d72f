package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.Told;
import java.time.Duration;
import java.util.Set;

/** One level of a lock, as its holder has it in hand. Used by one thread, the actor's. */
interface Stay {
    /** {@return what was granted} */
    Grant grant();

    /** {@return whether the hold is valid, as its holder sees it} */
    boolean isValid();

    /** {@return in which ways its holder is told when it is lost} */
    default Set<Told> told() {
        return Set.of(Told.LISTENER);
    }

    /** Makes the lease last at least so long from now, if this is a kind of stay that can. */
    void extend(Duration lease);

    /** Asks Redis who has the lock, if this is a kind of stay that can. */
    void inspect();

    /** Gives the level back. */
    void leave();
}
