package dev.holdfast;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.Script;
import java.util.List;

/**
 * What makes one kind of lock different from another: its scripts and its channel. The engine drives every kind through
 * these calls and has the only acquisition loop there is.
 *
 * <p>Each call's reply is read by {@link LockAnswer}; the ones for many holds have an element for each, in order. What
 * {@linkplain Call#expectAtLeast cannot be} the answer to a call does not reach its caller.
 */
interface LockKind {
    /** {@return the type of lock it is, as events name it} */
    LockType type();

    /** {@return the name before the colon of the channel on which releases are announced} */
    String channelPrefix();

    /** {@return the scripts to load on every connection} */
    List<Script> scripts();

    /**
     * {@return whether each hold has a fencing token} It comes with the answer that grants the hold, so nobody starts before
     * that: a handoff is awaited.
     */
    boolean isFenced();

    /** Takes the lock (holds = 1) or enters it again (holds &gt; 1, never creates). */
    Call acquire(LockKey lock, byte[] owner, long tenure, int holds, long leaseMillis, Call.Callback caller);

    /** Sets the count to {@code holdsLeft}, or lets go and announces it when that is 0. */
    Call release(LockKey lock, byte[] owner, long tenure, int holdsLeft, Call.Callback caller);

    /**
     * Gives a hold up, the only one of its owner, but keeps others out for so long.
     *
     * @param closed a newer tenure that nobody has; the lock is left with it
     */
    Call closeAfter(Hold hold, long closed, long leftMillis, Call.Callback caller);

    /**
     * Passes the lock on from one hold to another.
     *
     * @param inPlace whether later commands rely on its place among them, so that it must not be sent a second time
     */
    Call handoff(Hold from, Hold to, long leaseMillis, boolean inPlace, Call.Callback caller);

    /** Passes the lock on to a hold from whichever of these has it; keeps its place before later commands. */
    Call repair(List<Hold> from, Hold to, long leaseMillis, Call.Callback caller);

    /** Extends the leases of many holds to at least {@code leaseMillis}. */
    Call renew(List<Hold> holds, long leaseMillis, Call.Callback caller);

    /** Asks whether many holds are still there. */
    Call verify(List<Hold> holds, Call.Callback caller);

    /** Takes the lock away from whoever has it. */
    Call forceUnlock(LockKey lock, Call.Callback caller);

    /** Looks at the lock. */
    Call inspect(LockKey lock, Call.Callback caller);
}
