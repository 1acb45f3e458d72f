package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.Enlists;
import org.jspecify.annotations.Nullable;

/** The queue that a {@link LockWaiter} has joined, as the waiter sees it: it reports the outcomes of its attempts here. */
public interface JoinedQueue {
    /** The attempt of this acquisition found the lock busy. */
    void busy(LockWaiter tried, Busy found);

    /** {@return whose place in line the attempt of this acquisition, which is about to be sent, asks for; null for none} */
    Enlists.@Nullable Unit asksForPlace(LockWaiter tries);

    /**
     * The attempt of this acquisition was refused; the attempts of all other waiters for the same kind of lock would be,
     * too.
     */
    void failed(LockWaiter tried, RuntimeException why);

    /**
     * The attempt of this acquisition had no reply within the command timeout. That is one outage, and is reported at
     * once to all waiters without a deadline, or with one that has passed; the others keep attempting until theirs.
     */
    void silent(LockWaiter tried, @Nullable Throwable cause);

    /** An attempt was inconclusive, and is repeated. */
    void troubled(@Nullable Throwable cause);

    @Nullable
    Throwable trouble();

    /** An acquisition, in this queue or one that bypassed it, is about to be granted; its caller may have given up. */
    void granting(LockWaiter winner, Hold hold);

    /**
     * The grant was delivered: the waiters of the same owner re-enter the hold, and if the attempt was the head's, the
     * next waiter listens; or attempts, if several owners can have the lock. If the hold has been lost since, that loss
     * woke no waiter while the winner was still the one that attempts; so the head is woken here.
     */
    void granted(LockWaiter winner, Hold hold);

    /** The wait of an acquisition is about to end: attempts again if the last reply would be too old at its end. */
    void refresh(long now);

    /** This acquisition no longer waits, and was not granted. */
    void leave(LockWaiter gone);

    /** {@return when Redis last reported the lock busy, or confirmed that an owner of this client holds it} */
    long busyNanos();
}
