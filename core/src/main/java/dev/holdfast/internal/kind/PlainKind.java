package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plain re-entrant lock: a hash with the owner's hold count and tenure, and its client's label if it has one. It is
 * wire-compatible with Redisson's {@code RLock}, which ignores the fields of the latter two. A kind that extends it
 * adds a key to the scripts that grant the lock.
 */
public sealed class PlainKind extends ExclusiveKind implements AcquiresSeveral permits FencedKind, FairKind {
    private static final Script ACQUIRE = Script.load(PlainKind.class, "acquire.lua");
    private static final Script ACQUIRE_SEVERAL = Script.load(PlainKind.class, "acquire-several.lua");
    private static final Script RELEASE = Script.load(PlainKind.class, "release.lua");
    private static final Script RENEW = Script.load(PlainKind.class, "renew.lua");

    static final String CHANNEL_PREFIX = "redisson_lock__channel";

    private final Unit unit;

    public PlainKind() {
        this(null);
    }

    /** @param label of the client, which {@code inspect} shows with each lock it holds; null if there is none */
    public PlainKind(@Nullable String label) {
        this(label, Unit.CLIENT);
    }

    PlainKind(@Nullable String label, Unit unit) {
        super(label);
        this.unit = unit;
    }

    @Override
    public LockType type() {
        return LockType.PLAIN;
    }

    @Override
    public String commandRights() {
        return "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del";
    }

    @Override
    public final String channelPrefix() {
        return CHANNEL_PREFIX;
    }

    @Override
    public List<Script> scripts() {
        return List.of(
                ACQUIRE, ACQUIRE_SEVERAL, RELEASE, CLOSE_AFTER, HANDOFF, RENEW, VERIFY, FORCE_UNLOCK, INSPECT, SETTLE);
    }

    @Override
    public final Call acquire(Claim claim, Call.Callback caller) {
        String shown = claim.count() == 1 ? label : null;
        ArgumentWriter words = frame -> {
            claim.words(keys(frame, claim.lock())).number(claim.count()).number(claim.leaseMillis());
            if (shown != null) {
                frame.word(shown);
            }
        };
        return ACQUIRE.call(keyCount(), shown == null ? 4 : 5, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public final Call acquireSeveral(List<Claim> claims, boolean inPart, List<Call> parts) {
        long[] least = new long[2 * claims.size()];
        for (int i = 0; i < claims.size(); i++) {
            least[2 * i] = claims.get(i).tenure();
        }
        ArgumentWriter words = frame -> {
            claims.forEach(claim -> keys(frame, claim.lock()));
            frame.number(keyCount() - 1L).number(inPart ? 1 : 0).word(label == null ? "" : label);
            claims.forEach(claim -> claim.words(frame).number(claim.leaseMillis()));
        };
        return ACQUIRE_SEVERAL
                .call(keyCount() * claims.size(), 3 + 3 * claims.size(), words, Call.joint(parts))
                .expectAtLeastEach(least);
    }

    @Override
    public final Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit whose, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            claim.words(keys(frame, claim.lock()))
                    .number(claim.count())
                    .number(claim.leaseMillis())
                    .word(label == null ? "" : label)
                    .number(grantLeaseMillis)
                    .word(claim.lock().channel())
                    .numsub();
            if (whose == Unit.OWNER) {
                frame.number(1);
            }
        };
        return ACQUIRE.call(keyCount(), whose == Unit.OWNER ? 9 : 8, words, caller)
                .expectAtLeast(claim.tenure());
    }

    @Override
    public final Unit unit() {
        return unit;
    }

    @Override
    public final Call release(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            claim.lock().publication(claim.words(frame.word(claim.lock().key())).number(claim.count()));
            if (unit == Unit.OWNER) {
                frame.number(1);
            }
        };
        return RELEASE.call(1, unit == Unit.OWNER ? 6 : 5, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public final Call releaseToLine(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            claim.lock().publication(claim.words(keys(frame, claim.lock())).number(claim.count()));
            if (unit == Unit.OWNER) {
                frame.number(1);
            }
        };
        return RELEASE.call(keyCount(), unit == Unit.OWNER ? 6 : 5, words, caller)
                .expectAtLeast(claim.tenure());
    }

    @Override
    final Script renewal() {
        return RENEW;
    }

    @Override
    final String freed() {
        return "0";
    }

    @Override
    int keyCount() {
        return 1;
    }

    @Override
    RespWriter keys(RespWriter frame, LockKey lock) {
        return frame.word(lock.key());
    }
}
