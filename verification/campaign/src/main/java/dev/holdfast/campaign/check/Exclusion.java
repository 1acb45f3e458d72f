package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Two owners never both consider their holds of one lock valid, unless both read; of permits, {@link PermitsHeld} says more.
 *
 * <p>A belief is an interval in which every check by the holder's local clock returned "valid". Two beliefs of
 * different owners that share more than a point are a violation, unless {@linkplain Named a window that the guarantees
 * name} covers all of their overlap; such overlaps are counted as excused. Moreover, no holder considers a hold that
 * {@linkplain Vanished vanished} valid for longer than such a window lasts, whether or not another owner acquires the
 * lock. The writes of an excused holder are still in the order of the tokens: {@link Writes} excuses nothing.
 *
 * <p>Takes {@code n log n} for {@code n} beliefs, if few overlap.
 */
final class Exclusion implements Checker {
    private final Terms terms;

    Exclusion(Terms terms) {
        this.terms = terms;
    }

    private record Belief(Span span, long since, long until) {}

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("two holders are never valid at once");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Vanished vanished = new Vanished(terms, windows);
        Named named = new Named(terms, windows, spans);
        for (String lock : spans.locks()) {
            check(beliefs(spans.of(lock)), named, draft);
            spans.of(lock).forEach(span -> vanished.judge(span, draft));
        }
        return draft.verdict();
    }

    private static List<Belief> beliefs(List<Span> spans) {
        List<Belief> beliefs = new ArrayList<>();
        for (Span span : spans) {
            for (Believed event : span.believed()) {
                if (event.since() < event.at()) {
                    beliefs.add(new Belief(span, event.since(), event.at()));
                }
            }
        }
        beliefs.sort(Comparator.comparingLong(Belief::since));
        return beliefs;
    }

    private static void check(List<Belief> beliefs, Named named, Verdict.Draft draft) {
        List<Belief> current = new ArrayList<>();
        for (Belief belief : beliefs) {
            draft.judged(1);
            current.removeIf(earlier -> earlier.until() <= belief.since());
            for (Belief earlier : current) {
                if (!earlier.span().admits(belief.span())
                        && !earlier.span().owner().equals(belief.span().owner())) {
                    judge(earlier, belief, named, draft);
                }
            }
            current.add(belief);
        }
    }

    private static void judge(Belief earlier, Belief later, Named named, Verdict.Draft draft) {
        long from = later.since();
        long to = Math.min(earlier.until(), later.until());
        if (named.excuses(earlier.span(), from, to) || named.excuses(later.span(), from, to)) {
            draft.excused();
        } else {
            draft.violated(
                    from,
                    later.span().lock(),
                    earlier.span() + " and " + later.span() + " both considered their holds valid for " + (to - from)
                            + " ns");
        }
    }
}
