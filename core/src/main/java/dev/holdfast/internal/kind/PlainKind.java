package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.LockType;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The plain re-entrant lock: a hash with the owner's hold count and tenure, and its client's label if it has one. It is
 * wire-compatible with Redisson's {@code RLock}, which ignores the fields of the latter two. A kind that extends it
 * adds a key to the scripts that grant the lock.
 */
public sealed class PlainKind implements Kind, AcquiresSeveral, HandsOff, Enlists, Inspects, Settles
        permits FencedKind, FairKind {
    private static final Script ACQUIRE = Script.load(PlainKind.class, "acquire.lua");
    private static final Script ACQUIRE_SEVERAL = Script.load(PlainKind.class, "acquire-several.lua");
    private static final Script RELEASE = Script.load(PlainKind.class, "release.lua");
    private static final Script CLOSE_AFTER = Script.load(PlainKind.class, "close-after.lua");
    private static final Script HANDOFF = Script.load(PlainKind.class, "handoff.lua");
    private static final Script RENEW = Script.load(PlainKind.class, "renew.lua");
    private static final Script VERIFY = Script.load(PlainKind.class, "verify.lua");
    private static final Script FORCE_UNLOCK = Script.load(PlainKind.class, "force-unlock.lua");
    private static final Script SETTLE = Script.load(PlainKind.class, "settle.lua");
    private static final Script INSPECT = Script.load(PlainKind.class, "inspect.lua");

    static final String CHANNEL_PREFIX = "redisson_lock__channel";

    /** The message that wakes all waiters, those of Redisson included. */
    private static final String FREED = "0";

    private final @Nullable String label;
    private final Unit unit;

    public PlainKind() {
        this(null);
    }

    /** @param label of the client, which {@code inspect} shows with each lock it holds; null if there is none */
    public PlainKind(@Nullable String label) {
        this(label, Unit.CLIENT);
    }

    PlainKind(@Nullable String label, Unit unit) {
        this.label = label;
        this.unit = unit;
    }

    @Override
    public LockType type() {
        return LockType.PLAIN;
    }

    @Override
    public boolean awaitsHandoffs() {
        return false;
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return true;
    }

    @Override
    public String commandRights() {
        return "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del";
    }

    /** {@return the number of keys of a script that may grant the lock} */
    int keyCount() {
        return 1;
    }

    /** Writes those keys. */
    RespWriter keys(RespWriter frame, LockKey lock) {
        return frame.word(lock.key());
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
            tenure(keys(frame, claim.lock()), claim).number(claim.count()).number(claim.leaseMillis());
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
            claims.forEach(claim -> tenure(frame, claim).number(claim.leaseMillis()));
        };
        return ACQUIRE_SEVERAL
                .call(keyCount() * claims.size(), 3 + 3 * claims.size(), words, Call.joint(parts))
                .expectAtLeastEach(least);
    }

    @Override
    public final Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit whose, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            tenure(keys(frame, claim.lock()), claim)
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
            published(tenure(frame.word(claim.lock().key()), claim).number(claim.count()), claim.lock());
            if (unit == Unit.OWNER) {
                frame.number(1);
            }
        };
        return RELEASE.call(1, unit == Unit.OWNER ? 6 : 5, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public final Call releaseToLine(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            published(tenure(keys(frame, claim.lock()), claim).number(claim.count()), claim.lock());
            if (unit == Unit.OWNER) {
                frame.number(1);
            }
        };
        return RELEASE.call(keyCount(), unit == Unit.OWNER ? 6 : 5, words, caller)
                .expectAtLeast(claim.tenure());
    }

    @Override
    public final Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        ArgumentWriter words = frame -> published(
                        tenure(frame.word(claim.lock().key()), claim)
                                .number(closed)
                                .number(claim.leaseMillis()),
                        claim.lock())
                .word(FREED);
        return CLOSE_AFTER.call(1, 7, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public final Call handoff(Claim from, Claim to, Call.Callback caller) {
        ArgumentWriter words =
                frame -> tenure(tenure(keys(frame, to.lock()), to).number(to.leaseMillis()), from);
        return HANDOFF.call(keyCount(), 5, words, caller).expectAtLeast(to.tenure());
    }

    @Override
    public final Call commit(List<Claim> from, Claim to, boolean inFull, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            tenure(keys(frame, to.lock()), to).number(to.leaseMillis());
            from.forEach(hold -> tenure(frame, hold));
        };
        int arguments = 3 + 2 * from.size();
        Call call = inFull
                ? HANDOFF.callInFull(keyCount(), arguments, words, caller)
                : HANDOFF.callInOrder(keyCount(), arguments, words, caller);
        return call.expectAtLeast(to.tenure());
    }

    /** With its source: it is among the first commands at a node, which may not know the script. */
    @Override
    public final Call settle(List<Claim> released, Claim to, long token, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            tenure(frame.word(to.lock().key()), to)
                    .number(to.count())
                    .number(to.leaseMillis())
                    .word(token == 0 ? "" : Long.toString(token));
            released.forEach(hold -> tenure(frame, hold));
        };
        return SETTLE.callInFull(1, 5 + 2 * released.size(), words, caller).expectAtLeast(to.tenure());
    }

    private static RespWriter tenure(RespWriter frame, Claim claim) {
        return frame.word(claim.ownerField()).number(claim.tenure());
    }

    /** Writes how a release is published. */
    private static RespWriter published(RespWriter frame, LockKey lock) {
        return frame.word(lock.channel()).publish();
    }

    @Override
    public final Call renew(List<Claim> claims, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(claims, frame);
            for (Claim claim : claims) {
                tenure(frame, claim).number(claim.leaseMillis());
            }
        };
        return RENEW.call(claims.size(), 3 * claims.size(), words, caller).expectAtLeastEach(tenures(claims));
    }

    @Override
    public final Call verify(List<Claim> claims, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(claims, frame);
            for (Claim claim : claims) {
                tenure(frame, claim);
            }
        };
        return VERIFY.call(claims.size(), 2 * claims.size(), words, caller).expectAtLeastEach(tenures(claims));
    }

    @Override
    public final Call forceUnlock(LockKey lock, Call.Callback caller) {
        return FORCE_UNLOCK.call(
                1, 3, frame -> published(frame.word(lock.key()), lock).word(FREED), caller);
    }

    @Override
    public final Call inspect(LockKey lock, Call.Callback caller) {
        return INSPECT.call(1, 0, frame -> frame.word(lock.key()), caller);
    }

    @Override
    public final Optional<LockInfo> read(LockKey lock, List<Object> state) {
        return LockHash.read(lock.name(), state);
    }

    private static long[] tenures(List<Claim> claims) {
        return claims.stream().mapToLong(Claim::tenure).toArray();
    }

    private static void keys(List<Claim> claims, RespWriter frame) {
        for (Claim claim : claims) {
            frame.word(claim.lock().key());
        }
    }
}
