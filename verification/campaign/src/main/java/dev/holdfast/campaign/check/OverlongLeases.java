package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Redis keeps a lock for no longer than its holder asked for. If it shows a longer lease, the hold has the lease of
 * something else, such as an acquisition that its owner abandoned. When a hold with an explicit lease then ends without
 * a release, the lock stays held by no owner for the rest of it. A key without expiry is worse.
 *
 * <p>A hold of several levels may have the longest lease of any of them, including levels that were abandoned while it
 * lasted, and of its extensions.
 */
final class OverlongLeases implements Checker {
    private final Terms terms;

    OverlongLeases(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("Redis keeps a lock for no longer than its holder asked for");
        Spans spans = new Spans(history, new Windows(history));
        List<Operation> operations = history.operations();
        history.all(LeaseShown.class).forEach(shown -> spans.of(shown.op()).ifPresent(span -> {
            draft.judged(1);
            judge(shown, span, operations, draft);
        }));
        return draft.verdict();
    }

    private void judge(LeaseShown shown, Span span, List<Operation> operations, Verdict.Draft draft) {
        long asked = asked(shown, span, operations);
        boolean endless = shown.leaseMillis() == LeaseShown.FOR_EVER;
        if (endless || terms.leaseNanos(shown.leaseMillis()) > asked) {
            draft.violated(
                    shown.at(),
                    span.lock(),
                    span + " requested a lease of " + asked / 1_000_000 + " ms at most, and Redis keeps the lock "
                            + (endless ? "for ever" : "for " + shown.leaseMillis() + " ms more"));
        }
    }

    private long asked(LeaseShown shown, Span span, List<Operation> operations) {
        List<Operation> asking = new ArrayList<>(span.levels());
        asking.addAll(span.extensions());
        operations.stream()
                .filter(operation -> GivenUp.is(operation) && isWithin(span, operation))
                .forEach(asking::add);
        return asking.stream()
                .filter(operation -> operation.called().at() < shown.at())
                .mapToLong(operation -> terms.leaseNanos(operation.called().leaseMillis()))
                .max()
                .orElse(0);
    }

    private static boolean isWithin(Span span, Operation givenUp) {
        return givenUp.lock().equals(span.lock())
                && givenUp.owner().equals(span.owner())
                && givenUp.called().at() > span.grant().called().at();
    }
}
