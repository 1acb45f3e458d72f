package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The outcome of a command about one owner's tenure of one lock. It is parsed from the script's number here, at the
 * edge; no other code sees that number.
 *
 * @param kind the outcome
 * @param leftMillis for {@code BUSY}: how long the other owner's lease lasts without renewal
 * @param token for {@code HELD}, in the answer to a grant of a fenced lock: the hold's token; 0 otherwise
 */
public record LockAnswer(Kind kind, long leftMillis, long token) {

    public enum Kind {
        /** The tenure has the lock, or had it until this release. */
        HELD,
        /** Another owner has it. */
        BUSY,
        /** No owner has it. */
        GONE,
        /** A newer tenure of the same owner has it: the command came late and did nothing. */
        LATE,
        /** Redis refused the command with an error. */
        REFUSED,
        /** Redis does not execute the command at present; it has had no effect. */
        NOT_EXECUTED,
        /** The connection ended before the answer. */
        UNKNOWN,
        /** The command was never sent. */
        NOT_SENT
    }

    /** Positive, and at most 19 digits: Redis counts in 64 bits, like a {@code long}. */
    private static final Pattern TOKEN = Pattern.compile("[1-9]\\d{0,18}");

    private static final LockAnswer HELD = new LockAnswer(Kind.HELD, 0, 0);
    private static final LockAnswer GONE = new LockAnswer(Kind.GONE, 0, 0);
    private static final LockAnswer LATE = new LockAnswer(Kind.LATE, 0, 0);
    private static final LockAnswer REFUSED = new LockAnswer(Kind.REFUSED, 0, 0);
    private static final LockAnswer NOT_EXECUTED = new LockAnswer(Kind.NOT_EXECUTED, 0, 0);
    private static final LockAnswer UNKNOWN = new LockAnswer(Kind.UNKNOWN, 0, 0);
    private static final LockAnswer NOT_SENT = new LockAnswer(Kind.NOT_SENT, 0, 0);

    public static LockAnswer of(Call call, long tenure) {
        return switch (call.outcome()) {
            case ANSWERED -> read(call.number(), tenure);
            case REFUSED -> REFUSED;
            case NOT_EXECUTED -> NOT_EXECUTED;
            case UNKNOWN -> UNKNOWN;
            case NOT_SENT -> NOT_SENT;
        };
    }

    /** Parses the reply to a command that may have granted this lock, as its kind does. */
    public static LockAnswer ofGrant(Call call, LockKey lock, long tenure) {
        return lock.kind().readGrant(call, tenure);
    }

    /** {@return this outcome with the token that the reply to a grant must have; a grant without one is refused} */
    LockAnswer withToken(Call call) {
        if (kind != Kind.HELD) {
            return this;
        }
        List<Object> elements = call.elements();
        String drawn = elements.size() > 1 ? elements.get(1).toString() : "";
        return TOKEN.matcher(drawn).matches() ? new LockAnswer(Kind.HELD, 0, Long.parseLong(drawn)) : REFUSED;
    }

    /** Parses one element of a reply about many holds. */
    public static LockAnswer read(Object element, long tenure) {
        if (element instanceof Long number) {
            return read(number.longValue(), tenure);
        }
        return NotExecutedException.of(element.toString()) == null ? REFUSED : NOT_EXECUTED;
    }

    private static LockAnswer read(long number, long tenure) {
        if (number == tenure) {
            return HELD;
        }
        if (number > 0) {
            return LATE;
        }
        return number == 0 ? GONE : new LockAnswer(Kind.BUSY, -number, 0);
    }
}
