package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What distinguishes one kind of lock from another: what it says to Redis. The engine uses every kind through these
 * methods, and has the only acquisition loop. What only some kinds can do are interfaces of their own: {@link
 * HandsOff}, {@link Inspects}.
 *
 * <p>The reply to a call about many holds has an element for each, in order. A reply that {@linkplain
 * Call#expectAtLeast cannot belong} to a call does not reach its callback.
 */
public interface Kind {
    /** {@return the type of lock, as used in events} */
    LockType type();

    /** {@return what it is a kind of, for messages} */
    default String noun() {
        return "lock";
    }

    /**
     * {@return which locks of one name are one lock: those of all kinds with this identity} Such kinds have one key and one
     * channel, and agree on what is in Redis and on whether several owners can have it: their owners exclude each other, wait
     * in one queue, and can hand the lock off to each other. An owner uses one of them at a time.
     */
    default String identity() {
        return channelPrefix();
    }

    /**
     * {@return the lock's key}
     *
     * @param name with the client's prefix
     */
    default String key(String name) {
        return name;
    }

    /** {@return the further keys that its scripts are given for a lock} They are in the slot of the lock's own key. */
    default List<String> companions(LockKey lock) {
        return List.of();
    }

    /** {@return the part before the colon of the name of the channel on which releases are published} */
    String channelPrefix();

    /**
     * {@return whether several owners can have the lock at the same time} Then the next waiter attempts after a grant, until
     * one finds the lock busy, and no grant displaces another hold. Otherwise the waiters of a client whose owner has the lock
     * wait for its release.
     */
    default boolean admitsSeveral() {
        return false;
    }

    /** {@return the kind of the other side of the lock, whose waiters count as others to those of this one; null if there is none} */
    default @Nullable Kind otherSide() {
        return null;
    }

    /** {@return the scripts to load on every connection} */
    List<Script> scripts();

    /** Acquires the lock (count = 1) or re-enters it (count &gt; 1, which never creates the hold). */
    Call acquire(Claim claim, Call.Callback caller);

    /** Leaves the owner this count; if that is 0, releases the lock and publishes the release. */
    Call release(Claim claim, Call.Callback caller);

    /**
     * Ends a hold, the only one of its owner, but keeps other owners out for the lease of the claim.
     *
     * @param closed a newer tenure that no hold has; the key is left with it
     */
    Call closeAfter(Claim claim, long closed, Call.Callback caller);

    /** Extends the leases of many holds to at least those of their claims. */
    Call renew(List<Claim> claims, Call.Callback caller);

    /** Checks whether many holds still exist in Redis. */
    Call verify(List<Claim> claims, Call.Callback caller);

    /**
     * Parses the reply to a call that may have granted this tenure. Those to other calls are of one form for all kinds:
     * {@link Answer}, {@link Publication}.
     */
    default Answer readGrant(Call call, long tenure) {
        return Answer.of(call, tenure);
    }

    /** {@return the rights to run the commands of the scripts but for that which publishes, in the syntax of ACL rules} */
    String commandRights();

    /** {@return what an error means that only this kind's scripts can cause; null for any other error} */
    default @Nullable String explain(LockKey lock, String error) {
        return null;
    }
}
