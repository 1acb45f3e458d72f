package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The write side of a read-write lock: one owner has it, and no reader. Its key, its channel and the mode of its hash are those
 * of Redisson's {@code RReadWriteLock}, which it excludes.
 */
public final class WriteKind extends ExclusiveKind implements ReadWrite {
    private static final Script DOWNGRADE = Script.load(WriteKind.class, "rw-downgrade.lua");

    private final ReadKind readers;

    /** @param readers the other side, which has created this one */
    WriteKind(@Nullable String label, ReadKind readers) {
        super(label);
        this.readers = readers;
    }

    @Override
    public LockType type() {
        return LockType.WRITE;
    }

    @Override
    public String side() {
        return "write";
    }

    @Override
    public ReadKind otherSide() {
        return readers;
    }

    @Override
    public List<Script> scripts() {
        return List.of(
                ReadWrite.ACQUIRE,
                ReadWrite.RELEASE,
                ReadWrite.RENEW,
                DOWNGRADE,
                CLOSE_AFTER,
                HANDOFF,
                VERIFY,
                FORCE_UNLOCK,
                ReadWrite.INSPECT,
                SETTLE);
    }

    /**
     * Turns the hold into a read hold, whose lease is that of its claim.
     *
     * @param to a claim of the read side, of an owner that had no hold before
     */
    public Call downgrade(Claim from, Claim to, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            to.words(from.words(frame.word(from.lock().key()))).number(to.leaseMillis());
            from.lock().publication(frame).word(label == null ? "" : label);
        };
        return DOWNGRADE.call(1, 8, words, caller).expectAtLeast(from.tenure());
    }

    @Override
    public Optional<LockInfo> read(LockKey lock, List<Object> state) {
        return ReadWriteHash.read(lock.name(), state, LockMode.EXCLUSIVE);
    }

    @Override
    public @Nullable String otherKind(LockKey lock, List<Object> state) {
        return ReadWriteHash.otherKind(lock.name(), state);
    }

    @Override
    Script inspection() {
        return ReadWrite.INSPECT;
    }

    @Override
    Script renewal() {
        return ReadWrite.RENEW;
    }

    @Override
    String freed() {
        return ReadWrite.FREED;
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
