package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import java.util.List;

/**
 * The outcome of a command about one owner's tenure of one lock. It is parsed from the script's number here, at the
 * edge; no other code sees that number.
 *
 * @param outcome what Redis did, or whether that is unknown
 * @param leftMillis for {@code BUSY}: how long the other owner's lease lasts without renewal
 * @param drawn for {@code HELD}: the number that the script has drawn with the grant, if the kind of lock has such: the token of
 *     a fenced hold. 0 otherwise
 */
public record Answer(Outcome outcome, long leftMillis, long drawn) {

    public enum Outcome {
        /** The tenure has the lock, or had it until this release. */
        HELD,
        /** Another owner has it. */
        BUSY,
        /** No owner has it. */
        GONE,
        /** A newer tenure of the same owner has it: the command came late and did nothing. */
        LATE,
        /** Redis granted it, but the reply lacks what a grant must have. */
        MALFORMED,
        /** Redis refused the command with an error. */
        REFUSED,
        /** Redis does not execute the command at present; it has had no effect. */
        NOT_EXECUTED,
        /** The connection ended before the answer. */
        UNKNOWN,
        /** The command was never sent. */
        NOT_SENT
    }

    private static final Answer HELD = new Answer(Outcome.HELD, 0, 0);
    private static final Answer GONE = new Answer(Outcome.GONE, 0, 0);
    private static final Answer LATE = new Answer(Outcome.LATE, 0, 0);
    private static final Answer MALFORMED = new Answer(Outcome.MALFORMED, 0, 0);
    private static final Answer REFUSED = new Answer(Outcome.REFUSED, 0, 0);
    private static final Answer NOT_EXECUTED = new Answer(Outcome.NOT_EXECUTED, 0, 0);
    private static final Answer UNKNOWN = new Answer(Outcome.UNKNOWN, 0, 0);
    private static final Answer NOT_SENT = new Answer(Outcome.NOT_SENT, 0, 0);

    /** Parses the reply to a call about this tenure. */
    public static Answer of(Call call, long tenure) {
        return switch (call.outcome()) {
            case ANSWERED -> read(call.number(), tenure);
            case REFUSED -> REFUSED;
            case NOT_EXECUTED -> NOT_EXECUTED;
            case UNKNOWN -> UNKNOWN;
            case NOT_SENT -> NOT_SENT;
        };
    }

    /** {@return this outcome with the drawn number, which the reply to a grant must have; malformed if it is missing} */
    Answer withDrawn(Call call) {
        if (outcome != Outcome.HELD) {
            return this;
        }
        List<Object> elements = call.elements();
        long number = elements.size() > 1 ? number(elements.get(1).toString()) : 0;
        return number > 0 ? new Answer(Outcome.HELD, 0, number) : MALFORMED;
    }

    /** {@return the number in this text; 0 if it has none} Redis counts in 64 bits, like a {@code long}. */
    private static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Parses one element of a reply about many holds. */
    public static Answer ofElement(Object element, long tenure) {
        if (element instanceof Long number) {
            return read(number.longValue(), tenure);
        }
        return NotExecutedException.of(element.toString()) == null ? REFUSED : NOT_EXECUTED;
    }

    private static Answer read(long number, long tenure) {
        if (number == tenure) {
            return HELD;
        }
        if (number > 0) {
            return LATE;
        }
        return number == 0 ? GONE : new Answer(Outcome.BUSY, -number, 0);
    }
}
