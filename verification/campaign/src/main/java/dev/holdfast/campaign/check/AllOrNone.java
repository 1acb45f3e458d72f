package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A call for a multi-lock gets all its locks or none. When it was granted, each lock is its holder's: whenever that
 * inspects them in Redis, each is shown as held, until its lease may have ended, its key was lost, or the whole is
 * released. When it was not granted, none stays: once what it had can have been {@linkplain GivenUp released}, no try of
 * another owner finds one of its locks busy that nobody else can have.
 */
final class AllOrNone implements Checker {
    private final Terms terms;

    AllOrNone(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a multi-lock is held as a whole or not at all");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        List<Operation> operations = history.operations();
        Map<String, List<Operation>> calls = operations.stream()
                .filter(operation -> operation.called().by() == By.MULTI)
                .collect(Collectors.groupingBy(Operation::owner));
        calls.values().forEach(call -> judgeAll(call, spans, windows, draft));
        operations.stream()
                .collect(Collectors.groupingBy(Operation::lock))
                .forEach((lock, ofLock) -> judgeNone(lock, ofLock, spans, windows, draft));
        return draft.verdict();
    }

    private void judgeAll(List<Operation> call, Spans spans, Windows windows, Verdict.Draft draft) {
        draft.judged(1);
        List<Operation> acquired = call.stream()
                .filter(operation -> operation.called().what().acquires())
                .toList();
        long granted =
                acquired.stream().filter(each -> each.is(Outcome.GRANTED)).count();
        if (granted > 0 && granted < acquired.size()) {
            Operation one = acquired.get(0);
            draft.violated(
                    one.called().at(),
                    one.lock(),
                    one.owner() + " got " + granted + " of " + acquired.size() + " locks");
        }
        for (Operation look : call) {
            if (look.called().what() == What.INSPECT && look.is(Outcome.NOT_SHOWN)) {
                spans.of(look.op())
                        .filter(span -> look.end() < leaseEnd(span, look.end()) && !wasForgotten(span, look, windows))
                        .ifPresent(span -> draft.violated(
                                look.end(),
                                span.lock(),
                                span + " has the whole, but Redis does not show this lock as its"));
            }
        }
    }

    private long leaseEnd(Span span, long now) {
        long granted = span.grant().called().at()
                + terms.firstLeaseNanos(span.grant())
                - terms.drift().toNanos();
        return Math.max(granted, span.confirmedUntil(terms, now));
    }

    private static boolean wasForgotten(Span span, Operation look, Windows windows) {
        return windows.losses(span.lock()).stream().anyMatch(loss -> isWithin(loss, span, look));
    }

    private static boolean isWithin(DataLost loss, Span span, Operation look) {
        return loss.since() <= look.end() && loss.at() >= span.grant().called().at();
    }

    private void judgeNone(String lock, List<Operation> operations, Spans spans, Windows windows, Verdict.Draft draft) {
        List<GivenUp> inVain = operations.stream()
                .filter(operation -> operation.called().by() == By.MULTI && GivenUp.is(operation))
                .map(operation -> GivenUp.of(operation, terms, windows))
                .toList();
        if (inVain.isEmpty()) {
            return;
        }
        Use use = Use.of(lock, operations, terms, windows, spans);
        Orphans orphans = new Orphans(terms, windows, operations);
        for (Operation refused : operations) {
            long called = refused.called().at();
            if (refused.called().what() == What.TRY
                    && refused.is(Outcome.REFUSED)
                    && !orphans.possible(called, refused.end())
                    && use.isFree(called, refused.end())) {
                inVain.stream()
                        .filter(call -> call.until() < called
                                && called
                                        < call.until()
                                                + terms.leaseNanos(call.operation()
                                                        .called()
                                                        .leaseMillis()))
                        .findFirst()
                        .ifPresent(call -> draft.violated(
                                called,
                                lock,
                                refused.owner() + " (" + refused.op()
                                        + ") found the lock busy, which nobody can have but "
                                        + call.operation().owner() + " ("
                                        + call.operation().op()
                                        + "), whose call had ended without it"));
            }
        }
    }
}
