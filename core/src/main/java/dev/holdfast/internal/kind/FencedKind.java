package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.RespWriter;
import org.jspecify.annotations.Nullable;

/**
 * The fenced lock: a plain lock whose scripts get the key of the last token as well, and draw the next token with each
 * new tenure. That key has the name and the format of Redisson's {@code RFencedLock}.
 */
public final class FencedKind extends PlainLock {
    public FencedKind(@Nullable String label) {
        super(label);
    }

    @Override
    public LockType type() {
        return LockType.FENCED;
    }

    @Override
    public boolean isFenced() {
        return true;
    }

    @Override
    int keyCount() {
        return 2;
    }

    @Override
    RespWriter keys(RespWriter frame, LockKey lock) {
        return super.keys(frame, lock).word(lock.tokensWord());
    }
}
