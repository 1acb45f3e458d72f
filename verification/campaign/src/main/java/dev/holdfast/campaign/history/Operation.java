package dev.holdfast.campaign.history;

import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import org.jspecify.annotations.Nullable;

/**
 * A call to a lock, with its outcome.
 *
 * @param returned null if the process was killed, or the history ended, before the call returned
 */
public record Operation(Called called, @Nullable Returned returned) {
    /** At the end of the name of an owner that reads. */
    public static final String READS = ":read";

    /** The end of an operation that did not return: later than any other time. */
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

    /** {@return whether it is an operation on the read lock of a read-write lock, which owners share} */
    public boolean reads() {
        return owner().endsWith(READS);
    }

    /** {@return whether it is an operation on a semaphore, whose permits owners have beside each other} */
    public boolean isOfSemaphore() {
        return called.by() == By.PERMITS;
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

    /** {@return the time at which it returned, {@link #NEVER} if it did not} */
    public long end() {
        return returned == null ? NEVER : returned.at();
    }

    /** {@return whether it returned with this outcome} */
    public boolean is(Outcome outcome) {
        return returned != null && returned.outcome() == outcome;
    }

    /** {@return whether its effect is known; otherwise it may have taken effect at an unknown time, or not at all} */
    public boolean isKnown() {
        return returned != null && returned.outcome().isKnown();
    }

    /** {@return the token that was granted, 0 if none} */
    public long token() {
        return returned == null ? 0 : returned.token();
    }

    /** {@return the number of levels that its owner had afterwards, 0 if unknown} */
    public int holds() {
        return returned == null ? 0 : returned.holds();
    }
}
