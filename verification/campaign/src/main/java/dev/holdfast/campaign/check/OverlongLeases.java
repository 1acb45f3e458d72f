package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.LeaseShown;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.ArrayList;
import java.util.List;

/**
 * Redis keeps a lock for no longer than its holder asked for. A holder that is shown more has the lease of something else: of an
 * acquisition that its owner gave up, say. When that hold ends without a release, as those with a lease of their own may, the lock is
 * held for nobody for the rest of it. A key without expiry is worse.
 *
 * <p>A hold of several levels may have the longest lease of all of them, those included that were given up while it lasted; and what
 * it was extended by.
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
                    span + " asked for a lease of " + asked / 1_000_000 + " ms at most, and Redis keeps the lock "
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
