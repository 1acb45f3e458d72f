package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What both sides of a read-write lock have in common. */
interface ReadWrite extends Kind, Enlists, Inspects {
    Script ACQUIRE = Script.load(ReadWrite.class, "rw-acquire.lua");
    Script RELEASE = Script.load(ReadWrite.class, "rw-release.lua");
    Script RENEW = Script.load(ReadWrite.class, "rw-renew.lua");

    Script INSPECT = Script.load(ReadWrite.class, "rw-inspect.lua");

    String CHANNEL_PREFIX = "redisson_rwlock";

    /** Redisson's message for all waiters for a read-write lock. */
    String FREED = "1";

    /** {@return the name of the side in the commands and channels} */
    String side();

    /** {@return the label of the client; null if there is none} */
    @Nullable
    String label();

    @Override
    default String identity() {
        return CHANNEL_PREFIX + "/" + side();
    }

    @Override
    default String channelPrefix() {
        return CHANNEL_PREFIX;
    }

    @Override
    default String commandRights() {
        return "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del +time";
    }

    @Override
    default Call acquire(Claim claim, Call.Callback caller) {
        String shown = claim.count() == 1 ? label() : null;
        ArgumentWriter words = frame -> {
            claimed(frame, claim);
            if (shown != null) {
                frame.word(shown);
            }
        };
        return ACQUIRE.call(1, shown == null ? 5 : 6, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    default Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit whose, Call.Callback caller) {
        String label = label();
        ArgumentWriter words = frame -> claim.lock()
                .publication(
                        claimed(frame, claim).word(label == null ? "" : label).number(grantLeaseMillis));
        return ACQUIRE.call(1, 9, words, caller).expectAtLeast(claim.tenure());
    }

    private RespWriter claimed(RespWriter frame, Claim claim) {
        return claim.words(frame.word(claim.lock().key()))
                .number(claim.count())
                .number(claim.leaseMillis())
                .word(side());
    }

    @Override
    default Call release(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock()
                .publication(claim.words(frame.word(claim.lock().key())).number(claim.count()));
        return RELEASE.call(1, 5, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    default Call releaseToLine(Claim claim, Call.Callback caller) {
        return release(claim, caller);
    }

    @Override
    default Optional<LockInfo> readAllSides(LockKey lock, List<Object> state) {
        return ReadWriteHash.read(lock.name(), state, null);
    }
}
