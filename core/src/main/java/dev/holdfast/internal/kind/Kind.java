package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one kind of lock from another: its scripts and its channel. The engine uses every kind through
 * these methods, and has the only acquisition loop.
 *
 * <p>{@link LockAnswer} parses the reply to each call; the reply to a call about many holds has an element for each, in
 * order. A reply that {@linkplain Call#expectAtLeast cannot belong} to a call does not reach its callback.
 */
public interface LockKind {
    /** {@return the type of lock, as used in events} */
    LockType type();

    /** {@return the part before the colon of the name of the channel on which releases are published} */
    String channelPrefix();

    /** {@return the scripts to load on every connection} */
    List<Script> scripts();

    /**
     * {@return whether the receiver of a handoff needs its reply} Then no owner starts before it, for instance because
     * each hold has a token, which comes with the reply.
     */
    boolean awaitsHandoffs();

    /**
     * Parses the reply to a command that may have granted the lock.
     *
     * @param tenure the tenure that the command is about
     */
    LockAnswer readGrant(Call call, long tenure);

    /** {@return the rights to run the commands of the scripts, in the syntax of ACL rules} */
    String commandRights();

    /** {@return the rights to the lock's keys, in the syntax of ACL rules} */
    String keyRights(LockKey lock);

    /** {@return what an error means that only this kind's scripts can cause; null for any other error} */
    @Nullable
    String explain(LockKey lock, String error);

    /**
     * {@return the beginning of a message about a key of the wrong type, if that can be another than the lock's own;
     * empty if it cannot} Ends with "or ".
     */
    String otherKeys(LockKey lock);

    /** Acquires the lock (holds = 1) or re-enters it (holds &gt; 1, which never creates the hold). */
    Call acquire(LockKey lock, byte[] owner, long tenure, int holds, long leaseMillis, Call.Callback caller);

    /** Sets the hold count to {@code holdsLeft}; if that is 0, releases the lock and publishes the release. */
    Call release(LockKey lock, byte[] owner, long tenure, int holdsLeft, Call.Callback caller);

    /**
     * Ends a hold, the only one of its owner, but keeps other owners out for {@code leftMillis}.
     *
     * @param closed a newer tenure that no hold has; the key is left with it
     */
    Call closeAfter(Claim hold, long closed, long leftMillis, Call.Callback caller);

    /**
     * Hands the lock off from one hold to another.
     *
     * @param inPlace whether later commands rely on its position before them, so that it must not be sent a second time
     */
    Call handoff(Claim from, Claim to, long leaseMillis, boolean inPlace, Call.Callback caller);

    /** Hands the lock off to a hold from the one of these that has it; keeps its position before later commands. */
    Call repair(List<? extends Claim> from, Claim to, long leaseMillis, Call.Callback caller);

    /** Extends the leases of many holds to at least {@code leaseMillis}. */
    Call renew(List<? extends Claim> holds, long leaseMillis, Call.Callback caller);

    /** Checks whether many holds still exist in Redis. */
    Call verify(List<? extends Claim> holds, Call.Callback caller);

    /** Releases the lock, whichever owner has it. */
    Call forceUnlock(LockKey lock, Call.Callback caller);

    /** Reads the state of the lock. */
    Call inspect(LockKey lock, Call.Callback caller);
}
