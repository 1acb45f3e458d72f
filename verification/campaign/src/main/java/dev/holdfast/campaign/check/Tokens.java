package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Fencing tokens grow: an acquisition that was called after another one of the lock had been granted has a larger
 * token, no two have the same, and a re-entry has the token of its hold.
 *
 * <p>Only after the server has lost its tokens may they start again from 1. Grants without a token (0) are not judged.
 */
final class Tokens implements Checker {
    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("tokens grow with each acquisition, and stay on re-entry");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        for (String lock : spans.locks()) {
            List<Span> fenced = spans.of(lock).stream()
                    .filter(span -> span.grant().token() != 0)
                    .toList();
            draft.judged(fenced.size());
            new Row(windows.losses(lock), draft).check(fenced);
            fenced.forEach(span -> checkReentries(span, draft));
        }
        return draft.verdict();
    }

    private static void checkReentries(Span span, Verdict.Draft draft) {
        for (Operation level : span.levels()) {
            if (level.token() != span.grant().token()) {
                draft.violated(
                        level.end(),
                        span.lock(),
                        span + " has token " + span.grant().token() + ", its re-entry " + level.op() + " has "
                                + level.token());
            }
        }
    }

    /** The acquisitions of one lock, in the order of their calls. */
    private static final class Row {
        private final List<DataLost> losses;
        private final Verdict.Draft draft;
        /** Called, and not certainly granted when the current one was called. */
        private final PriorityQueue<Operation> underWay = new PriorityQueue<>(Comparator.comparingLong(Operation::end));

        private final Map<Long, Operation> byToken = new HashMap<>();
        /** The one with the largest token among those that had been granted. */
        private @Nullable Operation largest;

        Row(List<DataLost> losses, Verdict.Draft draft) {
            this.losses = losses.stream().filter(DataLost::tokensToo).toList();
            this.draft = draft;
        }

        void check(List<Span> fenced) {
            for (Span span : fenced) {
                Operation grant = span.grant();
                for (Operation next = underWay.peek();
                        next != null && next.end() < grant.called().at();
                        next = underWay.peek()) {
                    granted(underWay.remove());
                }
                compare(largest, grant);
                underWay.add(grant);
            }
        }

        private void granted(Operation grant) {
            if (largest == null || grant.token() > largest.token() || forgotten(largest, grant)) {
                largest = grant;
            }
        }

        private void compare(@Nullable Operation earlier, Operation grant) {
            if (earlier != null && earlier.token() > grant.token() && !forgotten(earlier, grant)) {
                violated(grant, "is not larger than " + earlier.token() + " of " + earlier.op() + " before it");
            }
            Operation same = byToken.put(grant.token(), grant);
            if (same != null && !forgotten(same, grant)) {
                violated(grant, "was issued to " + same.op() + " as well");
            }
        }

        private void violated(Operation grant, String how) {
            draft.violated(
                    grant.end(),
                    grant.lock(),
                    "token " + grant.token() + " of " + grant.owner() + " (" + grant.op() + ") " + how);
        }

        /** Whether the tokens can have been lost after the earlier one was issued and before the later one was. */
        private boolean forgotten(Operation earlier, Operation later) {
            return losses.stream().anyMatch(loss -> earlier.called().at() <= loss.at() && loss.since() <= later.end());
        }
    }
}
