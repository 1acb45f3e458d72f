package dev.holdfast.internal.kind;

import dev.holdfast.LockType;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The fenced lock: a plain lock whose scripts get the key of the last token as well, and draw the next token with each
 * new tenure. That key has the name and the format of Redisson's {@code RFencedLock}. The token comes with the reply
 * that grants the hold, so a handoff is awaited; or with the message of a grant, if the release is one of a fenced lock.
 */
public final class FencedKind extends PlainKind {
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
        return message.token() != 0;
    }

    @Override
    public Answer readGrant(Call call, long tenure) {
        return Answer.of(call, tenure).withToken(call);
    }

    @Override
    public String commandRights() {
        return super.commandRights() + " +time +get +set +incr";
    }

    @Override
    public String keyRights(LockKey lock) {
        return super.keyRights(lock) + " ~" + lock.tokens();
    }

    @Override
    public @Nullable String explain(LockKey lock, String error) {
        boolean uncountable = UNCOUNTABLE.matcher(error).find();
        return uncountable
                ? "the key '" + lock.tokens() + "' holds no number that a token can follow (" + error + ")"
                : null;
    }

    @Override
    public String otherKeys(LockKey lock) {
        return "the key '" + lock.tokens() + "' holds no token, or ";
    }

    @Override
    int keyCount() {
        return 2;
    }

    @Override
    RespWriter keys(RespWriter frame, LockKey lock) {
        return super.keys(frame, lock).word(lock.tokens());
    }
}
