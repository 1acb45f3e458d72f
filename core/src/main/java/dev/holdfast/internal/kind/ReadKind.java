package dev.holdfast.internal.kind;

import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.FieldValue;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a read-write lock: many owners have it at the same time, each with a lease of its own, but no reader and a
 * writer. A grant says how many writers wait: from then on, the client is to admit no more readers to it.
 */
public final class ReadKind extends HashKind implements ReadWrite, Settles {
    private static final Script SETTLE = Script.load(ReadKind.class, "rw-settle.lua");

    private static final Pattern LINE = Pattern.compile("\\d+ \\d+ (\\d{1,9}) \\d+ \\d+(?: .*)?");

    private final WriteKind writers;

    public ReadKind(@Nullable String label) {
        super(label);
        this.writers = new WriteKind(label, this);
    }

    /** {@return the other side} */
    @Override
    public WriteKind otherSide() {
        return writers;
    }

    @Override
    public LockType type() {
        return LockType.READ;
    }

    @Override
    public String side() {
        return "read";
    }

    @Override
    public boolean admitsSeveral() {
        return true;
    }

    @Override
    public List<Script> scripts() {
        return List.of(
                ReadWrite.ACQUIRE, ReadWrite.RELEASE, ReadWrite.RENEW, VERIFY, FORCE_UNLOCK, ReadWrite.INSPECT, SETTLE);
    }

    /** With the number of writers that wait, if any do. */
    @Override
    public Answer readGrant(Call call, long tenure) {
        Answer answer = Answer.of(call, tenure);
        boolean isCounted =
                answer.outcome() == Answer.Outcome.HELD && call.elements().size() > 1;
        return isCounted ? answer.withDrawn(call) : answer;
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return true;
    }

    @Override
    public String grantChannel(LockKey lock, String clientId) {
        return ReadWrite.super.grantChannel(lock, clientId) + ":" + side();
    }

    /** With its source: it is among the first commands at a node, which may not know the script. */
    @Override
    public Call settle(List<Claim> released, Claim to, long token, Call.Callback caller) {
        ArgumentWriter words = frame -> {
            to.words(frame.word(to.lock().key())).number(to.leaseMillis()).word(label == null ? "" : label);
            released.forEach(hold -> hold.words(frame));
        };
        return SETTLE.callInFull(1, 4 + 2 * released.size(), words, caller).expectAtLeast(to.tenure());
    }

    /** Reads how many writers wait; {@link #waitingWriters} has the reply. */
    public Call ask(LockKey lock, Call.Callback caller) {
        return FieldValue.of(lock.key(), "writers", caller);
    }

    /** {@return the number that the reply to {@link #ask} says; 0 if there is no line} */
    public static int waitingWriters(Call answered) {
        Matcher line = LINE.matcher(FieldValue.value(answered));
        return line.matches() ? Integer.parseInt(line.group(1)) : 0;
    }

    /** A hold that others have as well keeps no other reader out. Never called: such a hold is not closed with a delay. */
    @Override
    public Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        throw new UnsupportedOperationException("a read lock cannot be kept busy after its close: " + claim.lock());
    }

    @Override
    public Optional<LockInfo> read(LockKey lock, List<Object> state) {
        return ReadWriteHash.read(lock.name(), state, LockMode.SHARED);
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
}
