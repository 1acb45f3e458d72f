package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;

/** A kind whose scripts draw a token with each grant, larger than all before. */
public interface DrawsTokens {
    /** Makes the next token of the lock larger than this one. */
    Call raiseToken(LockKey lock, long known, Call.Callback caller);
}
