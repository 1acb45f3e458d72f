package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;

/** A kind whose locks are put right at a Redis node that took the place of another one, and may have missed its last writes. */
public interface Settles {
    /**
     * Gives the lock to a hold if one of these holds has it there, each of which was released.
     *
     * @param token that of the hold; 0 if it has none
     */
    Call settle(List<Claim> released, Claim to, long token, Call.Callback caller);
}
