package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Exchanged;
import dev.holdfast.campaign.history.History;
import java.util.List;

/**
 * Each item of a bounded buffer is put once and taken once, in the order in which they are put, and there are never more than it may
 * have, nor fewer than none. Each holder writes what it has found, with one item more or less: so none has found what another one has
 * found, no state is missing in between, and none is written before the one that it follows. In a buffer that refuses stale tokens,
 * nothing excuses the contrary; a state that is missing was written by a process that was killed then.
 */
final class Items implements Checker {
    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("each item of a buffer is put once and taken once, in order");
        Windows windows = new Windows(history);
        Exchanges.byLock(history).values().forEach(exchanges -> check(exchanges.all(), windows, draft));
        return draft.verdict();
    }

    private static void check(List<Exchanged> exchanges, Windows windows, Verdict.Draft draft) {
        draft.judged(exchanges.size());
        for (int i = 0; i < exchanges.size(); i++) {
            Exchanged next = exchanges.get(i);
            long size = Exchanges.size(next);
            if (size < 0 || size > next.capacity()) {
                violated(next, "left " + size + " items in a buffer for " + next.capacity(), draft);
            }
            if (i > 0) {
                compare(exchanges.get(i - 1), next, windows, draft);
            }
        }
    }

    private static void compare(Exchanged before, Exchanged next, Windows windows, Verdict.Draft draft) {
        long missing = Exchanges.number(next) - Exchanges.number(before) - 1;
        if (missing < 0) {
            violated(next, "has found the buffer as " + before.op() + " has", draft);
        } else if (next.put() < before.put() || next.taken() < before.taken() || next.at() < before.since()) {
            violated(next, "has not found what " + before.op() + " had left", draft);
        } else if (missing > Exchanges.killed(windows, before.since(), next.at())) {
            violated(next, "has found " + missing + " changes that nobody has made since " + before.op(), draft);
        } else if (missing > 0) {
            draft.excused();
        }
    }

    private static void violated(Exchanged exchange, String what, Verdict.Draft draft) {
        String state = exchange.put() + " put, " + exchange.taken() + " taken";
        draft.violated(exchange.at(), exchange.lock(), exchange.op() + " (" + state + ") " + what);
    }
}
