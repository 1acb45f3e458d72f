package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Grantee;
import dev.holdfast.internal.hold.OwnerLane;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call that may wait in a lock's {@link JoinedQueue queue}. */
public interface LockWaiter extends Grantee {
    long ownerId();

    /** {@return its owner's lane, which exists for as long as it waits} */
    OwnerLane lane();

    /** {@return whether it still wants the lock, and has not got it} */
    boolean isPending();

    boolean waitsForEver();

    boolean waitsLongerThan(Duration time);

    /** {@return the end of its wait, unless it waits for ever} */
    long deadlineNanos();

    /** Submits an attempt to acquire; its outcome is reported to this waiter, and by it to the queue it waits in. */
    void attempt();

    /** It fails for a reason that concerns it alone. */
    void failAlone(RuntimeException why);

    /** It fails since Redis has not answered, for this reason; what it asks for next may be answered. */
    void failUnanswered(RuntimeException why);

    /** It fails, since the client is being closed. */
    void close();

    /** It waits in this queue from now on; null if it has left the queue. */
    void queuedIn(@Nullable JoinedQueue where);

    /** {@return the next one of the same owner in the {@link QueuedWaiters}} Guarded by the queue. */
    @Nullable
    LockWaiter nextOfOwner();

    /** Sets {@link #nextOfOwner}. Guarded by the queue. */
    void setNextOfOwner(@Nullable LockWaiter next);
}
