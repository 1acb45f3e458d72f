package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.ReportChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * No lock of a multi-lock is free before its holder has released the whole, unless that lock itself was lost: its holder
 * may be working under all of them, also when another one of them was lost, or its client was closed. So no other owner
 * is granted such a lock from the grant until the release is called, as long as its lease lasts by what was reported to
 * the holder, and its key was not lost.
 *
 * <p>And one lost lock is a lost whole: from {@link Terms#prompt} after the loss of one was reported, no check finds the
 * whole valid.
 */
final class Members implements Checker {
    private final Terms terms;

    Members(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no lock of a multi-lock is free before its holder has released it");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Span>> wholes = new HashMap<>();
        for (String lock : spans.locks()) {
            List<Operation> grants = spans.of(lock).stream()
                    .map(Span::grant)
                    .sorted(Comparator.comparingLong(grant -> grant.called().at()))
                    .toList();
            for (Span span : spans.of(lock)) {
                if (span.grant().called().by() == By.MULTI) {
                    draft.judged(1);
                    judge(span, grants, windows, draft);
                    wholes.computeIfAbsent(span.owner(), unused -> new ArrayList<>())
                            .add(span);
                }
            }
        }
        wholes.values().forEach(whole -> judgeWhole(whole, windows, draft));
        return draft.verdict();
    }

    /** @param grants of the same lock, in the order of their calls */
    private void judge(Span span, List<Operation> grants, Windows windows, Verdict.Draft draft) {
        for (Operation other : after(span.grant().end(), grants)) {
            if (other.called().at() >= span.releasing() || other.called().at() > span.latestEnd(terms)) {
                return;
            }
            boolean early = other.end() < Math.min(span.releasing(), leaseEnd(span, windows, other.end()));
            if (early && !wasForgotten(span, other, windows)) {
                draft.violated(
                        other.end(),
                        span.lock(),
                        other.owner() + " (" + other.op() + ") was granted the lock, but " + span
                                + " had not released it, and its lease ran until "
                                + leaseEnd(span, windows, other.end())
                                + " at least");
                return;
            }
        }
    }

    private static List<Operation> after(long time, List<Operation> grants) {
        int low = 0;
        int high = grants.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (grants.get(middle).called().at() > time) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return grants.subList(low, grants.size());
    }

    /**
     * {@return the time until which its lease lasts at least, by what was reported to its holder before a moment} An
     * explicit lease counts from the grant of the last lock, which was delivered promptly if no fault lasted.
     */
    private long leaseEnd(Span span, Windows windows, long now) {
        Operation grant = span.grant();
        long prompt = grant.end() - terms.prompt().toNanos();
        boolean fromTheEnd = grant.called().leaseMillis() > 0 && !windows.broken(prompt, grant.end());
        long granted = Math.max(grant.called().at(), fromTheEnd ? prompt : Long.MIN_VALUE)
                + terms.firstLeaseNanos(grant)
                - terms.drift().toNanos();
        return Math.max(granted, span.confirmedUntil(terms, now));
    }

    private static boolean wasForgotten(Span span, Operation other, Windows windows) {
        return windows.losses(span.lock()).stream()
                .anyMatch(loss -> loss.since() <= other.end()
                        && loss.at() >= span.grant().called().at());
    }

    private void judgeWhole(List<Span> whole, Windows windows, Verdict.Draft draft) {
        long lost = whole.stream()
                .flatMap(span -> span.announced().stream())
                .filter(announced -> announced.through() == ReportChannel.LISTENER)
                .mapToLong(Announced::at)
                .min()
                .orElse(Operation.NEVER);
        if (lost == Operation.NEVER) {
            return;
        }
        long known = windows.afterRunning(
                whole.get(0).process(), lost, terms.prompt().toNanos());
        for (Span span : whole) {
            long believed =
                    span.believed().stream().mapToLong(Believed::at).max().orElse(Long.MIN_VALUE);
            if (believed > known) {
                draft.violated(
                        believed,
                        span.lock(),
                        span + " was considered valid " + (believed - lost) + " ns after the loss of "
                                + whole.stream()
                                        .filter(other -> !other.announced().isEmpty())
                                        .map(Span::lock)
                                        .collect(Collectors.joining(", "))
                                + " was reported");
            }
        }
    }
}
