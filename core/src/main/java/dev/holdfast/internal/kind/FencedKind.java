package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fenced lock: a plain lock whose scripts get the key of the last token as well, and draw the next token with each
 * new tenure. That key has the name and the format of Redisson's {@code RFencedLock}. The token comes with the reply
 * that grants the hold, so a handoff is awaited; or with the message of a grant, if the release is one of a fenced lock.
 */
public final class FencedKind extends PlainKind implements DrawsTokens {
    private static final Script RAISE_TOKEN = Script.load(FencedKind.class, "raise-token.lua");

    /** Redis's errors for a stored token that cannot be incremented. */
    private static final Pattern UNCOUNTABLE = Pattern.compile("not an integer or out of range|would overflow");

    public FencedKind(@Nullable String label) {
        super(label);
    }

    @Override
    public LockType type() {
        return LockType.FENCED;
    }

    @Override
    public boolean awaitsHandoffs() {
        return true;
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return message.drawn() != 0;
    }

    @Override
    public Answer readGrant(Call call, long tenure) {
        return Answer.of(call, tenure).withDrawn(call);
    }

    @Override
    public String commandRights() {
        return super.commandRights() + " +time +get +set +incr";
    }

    /** {@return the key of the last token that was drawn for the lock} */
    static String tokens(LockKey lock) {
        return LockKey.companion("redisson_lock_token", lock.key());
    }

    @Override
    public List<String> companions(LockKey lock) {
        return List.of(tokens(lock));
    }

    @Override
    public List<Script> scripts() {
        return Stream.concat(super.scripts().stream(), Stream.of(RAISE_TOKEN)).toList();
    }

    @Override
    public @Nullable String explain(LockKey lock, String error) {
        boolean uncountable = UNCOUNTABLE.matcher(error).find();
        return uncountable
                ? "the key '" + tokens(lock) + "' holds no number that a token can follow (" + error + ")"
                : null;
    }

    @Override
    int keyCount() {
        return 2;
    }

    @Override
    RespWriter keys(RespWriter frame, LockKey lock) {
        return super.keys(frame, lock).word(tokens(lock));
    }

    /** With its source: it is among the first commands at a node, which may not know the script. */
    @Override
    public Call raiseToken(LockKey lock, long known, Call.Callback caller) {
        return RAISE_TOKEN.callInFull(1, 1, frame -> frame.word(tokens(lock)).word(Long.toString(known)), caller);
    }
}
