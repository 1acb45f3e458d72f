package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the kinds have in common whose locks are hashes, with the hold count and the tenure of each owner. */
abstract class HashKind implements Kind, Inspects {
    static final Script VERIFY = Script.load(HashKind.class, "verify.lua");
    static final Script FORCE_UNLOCK = Script.load(HashKind.class, "force-unlock.lua");
    static final Script INSPECT = Script.load(HashKind.class, "inspect.lua");

    /** The label of the client, which {@code inspect} shows with each lock it holds; null if there is none. */
    final @Nullable String label;

    HashKind(@Nullable String label) {
        this.label = label;
    }

    /** {@return the label of the client; null if it has none} */
    public final @Nullable String label() {
        return label;
    }

    /** {@return the script that extends leases} */
    abstract Script renewal();

    /** {@return the script that reads the state of a lock} */
    Script inspection() {
        return INSPECT;
    }

    /** {@return the message that wakes all waiters for such a lock, those of Redisson included} */
    abstract String freed();

    @Override
    public final Call renew(List<Claim> claims, Call.Callback caller) {
        return renewal(renewal(), claims, caller);
    }

    /** {@return the call of a script that extends the leases of these claims} */
    static Call renewal(Script script, List<Claim> claims, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(claims, frame);
            for (Claim claim : claims) {
                claim.words(frame).number(claim.leaseMillis());
            }
        };
        return script.call(claims.size(), 3 * claims.size(), words, caller).expectAtLeastEach(tenures(claims));
    }

    @Override
    public final Call verify(List<Claim> claims, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            keys(claims, frame);
            for (Claim claim : claims) {
                claim.words(frame);
            }
        };
        return VERIFY.call(claims.size(), 2 * claims.size(), words, caller).expectAtLeastEach(tenures(claims));
    }

    private static long[] tenures(List<Claim> claims) {
        return claims.stream().mapToLong(Claim::tenure).toArray();
    }

    private static void keys(List<Claim> claims, RespWriter frame) {
        for (Claim claim : claims) {
            frame.word(claim.lock().key());
        }
    }

    @Override
    public final Call forceUnlock(LockKey lock, Call.Callback caller) {
        return FORCE_UNLOCK.call(
                1, 3, frame -> lock.publication(frame.word(lock.key())).word(freed()), caller);
    }

    @Override
    public final Call inspect(LockKey lock, Call.Callback caller) {
        return inspection().call(1, 0, frame -> frame.word(lock.key()), caller);
    }

    @Override
    public @Nullable String otherKind(LockKey lock, List<Object> state) {
        return LockHash.hasMode(state, 1) ? "read-write lock" : null;
    }

    @Override
    public Optional<LockInfo> read(LockKey lock, List<Object> state) {
        return LockHash.read(lock.name(), state);
    }
}
