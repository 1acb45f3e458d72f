package dev.holdfast.internal.latch;

import dev.holdfast.internal.redis.Call;
import java.util.List;

/**
 * What a look at a latch has shown.
 *
 * @param count 0 if there is none
 * @param how what became of the last count that was set by a command of ours
 * @param generation of that count, 0 if none is known
 * @param since the first generation from which on all before this one have ended open
 * @param gone how the last of the other ones has ended
 * @param leftMillis how long the count lives; negative if it has no end, or there is none
 */
public record LatchState(long count, How how, long generation, long since, How gone, long leftMillis) {
    /** What became of a count. */
    public enum How {
        /** It is not known. */
        NONE,
        COUNTING,
        OPEN,
        DELETED,
        EXPIRED
    }

    /** What a look means for a caller that waits. */
    public enum Verdict {
        WAIT,
        OPEN,
        DELETED,
        EXPIRED
    }

    /** Parses the reply of {@code latch-look.lua}. */
    public static LatchState of(Call look) {
        List<Object> elements = look.elements();
        return new LatchState(
                number(elements.get(0)),
                how(elements.get(1)),
                number(elements.get(2)),
                number(elements.get(3)),
                how(elements.get(4)),
                number(elements.get(5)));
    }

    private static long number(Object element) {
        return Long.parseLong(element.toString());
    }

    private static How how(Object element) {
        return switch (element.toString()) {
            case "counting" -> How.COUNTING;
            case "open" -> How.OPEN;
            case "deleted" -> How.DELETED;
            case "expired" -> How.EXPIRED;
            default -> How.NONE;
        };
    }

    /** {@return the generation of the present count; 0 if there is none, or it has none} */
    public long present() {
        return count > 0 && how == How.COUNTING ? generation : 0;
    }

    /**
     * {@return what it means for a caller that awaits the count of this generation}
     *
     * @param awaited that of the count which the caller has found first; 0 if that had none
     */
    public Verdict verdict(long awaited) {
        if (awaited == 0) {
            return count == 0 ? Verdict.OPEN : Verdict.WAIT;
        }
        if (awaited == generation) {
            return switch (how) {
                case COUNTING -> Verdict.WAIT;
                case DELETED -> Verdict.DELETED;
                case EXPIRED -> Verdict.EXPIRED;
                case OPEN, NONE -> Verdict.OPEN;
            };
        }
        if (generation == 0) {
            // The record was lost. A count that is left may be the one that is awaited.
            return count > 0 ? Verdict.WAIT : how == How.OPEN ? Verdict.OPEN : Verdict.DELETED;
        }
        if (awaited < generation && awaited >= since) {
            return Verdict.OPEN;
        }
        return awaited < generation && gone == How.EXPIRED ? Verdict.EXPIRED : Verdict.DELETED;
    }
}
