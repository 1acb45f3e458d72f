package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.BulkString;
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
public sealed class PlainLock implements LockKind permits FencedKind {
    private static final Script ACQUIRE = Script.load(PlainLock.class, "acquire.lua");
    private static final Script RELEASE = Script.load(PlainLock.class, "release.lua");
    private static final Script CLOSE_AFTER = Script.load(PlainLock.class, "close-after.lua");
    private static final Script HANDOFF = Script.load(PlainLock.class, "handoff.lua");
    private static final Script RENEW = Script.load(PlainLock.class, "renew.lua");
    private static final Script VERIFY = Script.load(PlainLock.class, "verify.lua");
    private static final Script FORCE_UNLOCK = Script.load(PlainLock.class, "force-unlock.lua");
    private static final Script INSPECT = Script.load(PlainLock.class, "inspect.lua");

    private static final BulkString PUBLISH = BulkString.of("PUBLISH");

    private final @Nullable BulkString label;

    public PlainLock() {
        this(null);
    }

    /** @param label of the client, which {@code inspect} shows with each lock it holds; null if there is none */
    public PlainLock(@Nullable String label) {
        this.label = label == null ? null : BulkString.of(label);
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
    public LockAnswer readGrant(Call call, long tenure) {
        return LockAnswer.of(call, tenure);
    }

    @Override
    public String commandRights() {
        return "+evalsha +eval +script|load +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del +publish";
    }

    @Override
    public String keyRights(LockKey lock) {
        return "~" + lock.keyText();
    }

    @Override
    public @Nullable String explain(LockKey lock, String error) {
        return null;
    }

    @Override
    public String otherKeys(LockKey lock) {
        return "";
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
        return "redisson_lock__channel";
    }

    @Override
    public final List<Script> scripts() {
        return List.of(ACQUIRE, RELEASE, CLOSE_AFTER, HANDOFF, RENEW, VERIFY, FORCE_UNLOCK, INSPECT);
    }

    @Override
    public final Call acquire(
            LockKey lock, byte[] owner, long tenure, int holds, long leaseMillis, Call.Callback caller) {
        BulkString shown = holds == 1 ? label : null;
        ArgumentWriter words = frame -> {
            keys(frame, lock).word(owner).number(tenure).number(holds).number(leaseMillis);
            if (shown != null) {
                frame.word(shown);
            }
        };
        return ACQUIRE.call(keyCount(), shown == null ? 4 : 5, words, caller).expectAtLeast(tenure);
    }

    @Override
    public final Call release(LockKey lock, byte[] owner, long tenure, int holdsLeft, Call.Callback caller) {
        ArgumentWriter words = frame -> frame.word(lock.key())
                .word(owner)
                .number(tenure)
                .number(holdsLeft)
                .word(lock.channelWord())
                .word(PUBLISH);
        return RELEASE.call(1, 5, words, caller).expectAtLeast(tenure);
    }

    @Override
    public final Call closeAfter(Claim hold, long closed, long leftMillis, Call.Callback caller) {
        LockKey lock = hold.lock();
        ArgumentWriter words = frame -> tenure(frame.word(lock.key()), hold)
                .number(closed)
                .number(leftMillis)
                .word(lock.channelWord())
                .word(PUBLISH);
        return CLOSE_AFTER.call(1, 6, words, caller).expectAtLeast(hold.tenure());
    }

    @Override
    public final Call handoff(Claim from, Claim to, long leaseMillis, boolean inPlace, Call.Callback caller) {
        ArgumentWriter words =
                frame -> tenure(tenure(keys(frame, to.lock()), to).number(leaseMillis), from);
        Call call = inPlace
                ? HANDOFF.callInOrder(keyCount(), 5, words, caller)
                : HANDOFF.call(keyCount(), 5, words, caller);
        return call.expectAtLeast(to.tenure());
    }

    @Override
    public final Call repair(List<? extends Claim> from, Claim to, long leaseMillis, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            tenure(keys(frame, to.lock()), to).number(leaseMillis);
            from.forEach(hold -> tenure(frame, hold));
        };
        return HANDOFF.callInFull(keyCount(), 3 + 2 * from.size(), words, caller)
                .expectAtLeast(to.tenure());
    }

    private static RespWriter tenure(RespWriter frame, Claim hold) {
        return frame.word(hold.ownerField()).number(hold.tenure());
    }

    @Override
    public final Call renew(List<? extends Claim> holds, long leaseMillis, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(holds, frame);
            for (Claim hold : holds) {
                tenure(frame, hold).number(leaseMillis);
            }
        };
        return RENEW.call(holds.size(), 3 * holds.size(), words, caller).expectAtLeastEach(tenures(holds));
    }

    @Override
    public final Call verify(List<? extends Claim> holds, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(holds, frame);
            for (Claim hold : holds) {
                tenure(frame, hold);
            }
        };
        return VERIFY.call(holds.size(), 2 * holds.size(), words, caller).expectAtLeastEach(tenures(holds));
    }

    @Override
    public final Call forceUnlock(LockKey lock, Call.Callback caller) {
        return FORCE_UNLOCK.call(
                1, 2, frame -> frame.word(lock.key()).word(lock.channelWord()).word(PUBLISH), caller);
    }

    @Override
    public final Call inspect(LockKey lock, Call.Callback caller) {
        return INSPECT.call(1, 0, frame -> frame.word(lock.key()), caller);
    }

    private static long[] tenures(List<? extends Claim> holds) {
        return holds.stream().mapToLong(Claim::tenure).toArray();
    }

    private static void keys(List<? extends Claim> holds, RespWriter frame) {
        for (Claim hold : holds) {
            frame.word(hold.lock().key());
        }
    }
}
