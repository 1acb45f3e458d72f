package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.ReportChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** One granted level of a lock. Used by one thread, the actor's. */
interface Stay {
    /** {@return the grant} */
    Grant grant();

    /** {@return the grants of all locks that are held together; the first is {@link #grant()}} */
    default List<Grant> grants() {
        return List.of(grant());
    }

    /** {@return whether the hold is valid, as far as its holder can know} */
    boolean isValid();

    /** {@return the channels through which the loss of the hold is reported to its holder} */
    default Set<ReportChannel> reportChannels() {
        return Set.of(ReportChannel.LISTENER);
    }

    /** Extends the lease to at least this length from now, if the API can. */
    void extend(Duration lease);

    /** Inspects the lock in Redis, if the API can. */
    void inspect();

    /** Releases the level. */
    void leave();
}
