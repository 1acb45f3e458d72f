package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Wrote;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The writes of fenced holders to a guarded resource are in the order of their tokens, whatever happened to the lock:
 *
 * <ul>
 *   <li>in the order in which the resource accepted the writes, tokens never decrease, and no two writes have the same
 *       sequence number;
 *   <li>the same holds for the order of time: no write is accepted that was sent after one with a newer token had been
 *       accepted;
 *   <li>a write has the token that its holder was granted;
 *   <li>and no write is refused unless an acquisition that was called before it was granted a newer token.
 * </ul>
 *
 * Nothing is excused. If tokens can be lost with the server, the resource has to be cleared with them, and the writes
 * before and after must have different names.
 */
final class Writes implements Checker {
    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("guarded writes are in the order of their tokens");
        Map<Op, Operation> operations =
                history.operations().stream().collect(Collectors.toMap(Operation::op, Function.identity()));
        Map<String, List<Wrote>> byLock = history.all(Wrote.class).collect(Collectors.groupingBy(Wrote::lock));
        byLock.forEach((lock, writes) -> {
            draft.judged(writes.size());
            checkPlaces(lock, writes, draft);
            checkTime(lock, writes, draft);
            checkTokens(lock, writes, operations, draft);
            checkRefusals(lock, writes, operations, draft);
        });
        return draft.verdict();
    }

    private static Stream<Wrote> accepted(List<Wrote> writes) {
        return writes.stream().filter(Wrote::accepted);
    }

    private static void checkPlaces(String lock, List<Wrote> writes, Verdict.Draft draft) {
        @Nullable Wrote before = null;
        for (Wrote write : accepted(writes)
                .sorted(Comparator.comparingLong(Wrote::sequence))
                .toList()) {
            if (before != null && before.sequence() == write.sequence()) {
                draft.violated(write.at(), lock, named(before) + " and " + named(write) + " overwrote each other");
            } else if (before != null && before.token() > write.token()) {
                draft.violated(write.at(), lock, named(write) + " was accepted after " + named(before));
            }
            before = write;
        }
    }

    /** Compares each write with the newest token accepted before it was sent. */
    private static void checkTime(String lock, List<Wrote> writes, Verdict.Draft draft) {
        List<Wrote> taken =
                accepted(writes).sorted(Comparator.comparingLong(Wrote::at)).toList();
        int behind = 0;
        @Nullable Wrote newest = null;
        for (Wrote write :
                accepted(writes).sorted(Comparator.comparingLong(Wrote::since)).toList()) {
            for (; behind < taken.size() && taken.get(behind).at() < write.since(); behind++) {
                if (newest == null || taken.get(behind).token() > newest.token()) {
                    newest = taken.get(behind);
                }
            }
            if (newest != null && newest.token() > write.token()) {
                draft.violated(write.at(), lock, named(write) + " was sent after " + named(newest) + " and accepted");
            }
        }
    }

    private static void checkTokens(
            String lock, List<Wrote> writes, Map<Op, Operation> operations, Verdict.Draft draft) {
        for (Wrote write : writes) {
            Operation grant = operations.get(write.op());
            if (grant == null || grant.token() != write.token()) {
                draft.violated(write.at(), lock, named(write) + " has another token than its grant");
            }
        }
    }

    /**
     * A refusal is correct if an acquisition that was called before the end of the write was granted a larger token.
     */
    private static void checkRefusals(
            String lock, List<Wrote> writes, Map<Op, Operation> operations, Verdict.Draft draft) {
        List<Operation> grants = operations.values().stream()
                .filter(grant -> grant.lock().equals(lock))
                .sorted(Comparator.comparingLong(grant -> grant.called().at()))
                .toList();
        int behind = 0;
        long newest = 0;
        for (Wrote write : writes) {
            for (; behind < grants.size() && grants.get(behind).called().at() <= write.at(); behind++) {
                newest = Math.max(newest, grants.get(behind).token());
            }
            if (!write.accepted() && write.token() >= newest) {
                draft.violated(write.at(), lock, named(write) + " was refused, but no newer token was ever granted");
            }
        }
    }

    private static String named(Wrote write) {
        return "the write of " + write.op() + " with token " + write.token();
    }
}
