package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import org.jspecify.annotations.Nullable;

/** The commands that both sides of a read-write lock have. */
final class ReadWrite {
    static final Script ACQUIRE = Script.load(ReadWrite.class, "rw-acquire.lua");
    static final Script RELEASE = Script.load(ReadWrite.class, "rw-release.lua");
    static final Script RENEW = Script.load(ReadWrite.class, "rw-renew.lua");

    static final Script INSPECT = Script.load(ReadWrite.class, "rw-inspect.lua");

    static final String CHANNEL_PREFIX = "redisson_rwlock";

    /** Redisson's message for all waiters for a read-write lock. */
    static final String FREED = "1";

    static final String COMMAND_RIGHTS =
            "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del +time";

    private ReadWrite() {}

    static Call acquire(Claim claim, String side, @Nullable String label, Call.Callback caller) {
        String shown = claim.count() == 1 ? label : null;
        ArgumentWriter words = frame -> {
            claimed(frame, claim, side);
            if (shown != null) {
                frame.word(shown);
            }
        };
        return ACQUIRE.call(1, shown == null ? 5 : 6, words, caller).expectAtLeast(claim.tenure());
    }

    static Call acquireOrEnlist(
            Claim claim, String side, @Nullable String label, long grantLeaseMillis, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock()
                .publication(claimed(frame, claim, side)
                        .word(label == null ? "" : label)
                        .number(grantLeaseMillis));
        return ACQUIRE.call(1, 9, words, caller).expectAtLeast(claim.tenure());
    }

    private static RespWriter claimed(RespWriter frame, Claim claim, String side) {
        return claim.words(frame.word(claim.lock().key()))
                .number(claim.count())
                .number(claim.leaseMillis())
                .word(side);
    }

    static Call release(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock()
                .publication(claim.words(frame.word(claim.lock().key())).number(claim.count()));
        return RELEASE.call(1, 5, words, caller).expectAtLeast(claim.tenure());
    }
}
