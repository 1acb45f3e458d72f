package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;

/** A kind whose lock one owner of a client can hand off to another; it is not free at any moment in between. */
public interface HandsOff {
    /**
     * {@return the kind of this lock}
     *
     * @throws IllegalArgumentException if that kind does not hand off
     */
    static HandsOff of(LockKey lock) {
        if (lock.kind() instanceof HandsOff kind) {
            return kind;
        }
        throw new IllegalArgumentException("lock '" + lock + "' is of a kind that is not handed off");
    }

    /**
     * {@return whether the receiver of a handoff needs its reply} Then no owner starts before it, for instance because
     * each hold has a token, which comes with the reply.
     */
    boolean awaitsHandoffs();

    /** Hands the lock off from one hold to another, which gets the lease of its claim. */
    Call handoff(Claim from, Claim to, Call.Callback caller);

    /**
     * Hands the lock off to a hold from the one of these that has it. Later commands rely on its position before them.
     *
     * @param inFull whether the server may not know the script, so that its source is sent
     */
    Call commit(List<Claim> from, Claim to, boolean inFull, Call.Callback caller);
}
