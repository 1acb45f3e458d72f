package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Redis keeps a lock for no longer than its holder requested. If it shows a longer lease, the hold has the lease of
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
        Verdict.Draft draft = new Verdict.Draft("Redis keeps a lock for no longer than its holder requested");
        Spans spans = new Spans(history, new Windows(history));
        List<Operation> operations = history.operations();
        history.all(LeaseShown.class).forEach(shown -> spans.of(shown.op()).ifPresent(span -> {
            draft.judged(1);
            judge(shown, span, operations, draft);
        }));
        return draft.verdict();
    }

    private void judge(LeaseShown shown, Span span, List<Operation> operations, Verdict.Draft draft) {
        long requested = requested(shown, span, operations);
        boolean endless = shown.leaseMillis() == LeaseShown.FOR_EVER;
        if (endless || terms.leaseNanos(shown.leaseMillis()) > requested) {
            draft.violated(
                    shown.at(),
                    span.lock(),
                    span + " requested a lease of " + requested / 1_000_000 + " ms at most, and Redis keeps the lock "
                            + (endless ? "for ever" : "for " + shown.leaseMillis() + " ms more"));
        }
    }

    private long requested(LeaseShown shown, Span span, List<Operation> operations) {
        List<Operation> requests = new ArrayList<>(span.levels());
        requests.addAll(span.extensions());
        operations.stream()
                .filter(operation -> GivenUp.is(operation) && isWithin(span, operation))
                .forEach(requests::add);
        return requests.stream()
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
