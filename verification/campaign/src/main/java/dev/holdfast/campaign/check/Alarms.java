package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Loss;
import java.util.function.Predicate;

/**
 * No alarm is false. What a holder was notified of must be possible:
 *
 * <ul>
 *   <li>that its lease ran out, or that a check finds its hold invalid: not before the lease has passed since the
 *       earliest time at which the last renewal reported to it can have been sent. The lease of the grant counts as
 *       well, if no fault lasted from one lease before the call until the alarm; otherwise the hold may have been
 *       handed off, and may end with the lease of the owner before it;
 *   <li>that the key is gone or taken: not unless the server lost it, or the lease has passed;
 *   <li>that a failover lost it: not unless a master was replaced that may not have replicated it;
 *   <li>that the client was closed: not before the close began;
 *   <li>that a renewal is late: not before half of the validity that was left when it was sent has passed. On a new
 *       connection, a renewal can be sent right after a confirmation, so that half of the lease is left; without
 *       faults, it is sent when a third of the lease has passed, so that a third is left.
 * </ul>
 */
final class Alarms implements Checker {
    private final Terms terms;

    Alarms(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no alarm is false");
        Windows windows = new Windows(history);
        for (Span span : new Spans(history, windows).all()) {
            for (Announced announced : span.announced()) {
                draft.judged(1);
                if (!isPossible(announced, span, windows)) {
                    draft.violated(
                            announced.at(),
                            span.lock(),
                            span + " was notified of " + announced.loss() + ", but its lease ran until "
                                    + validUntil(span, announced.at(), windows) + " at least");
                }
            }
            for (SeenLost seen : span.seenLost()) {
                draft.judged(1);
                if (!isPossible(seen, span, windows)) {
                    draft.violated(
                            seen.at(),
                            span.lock(),
                            span + " was found invalid, but its lease ran until " + validUntil(span, seen.at(), windows)
                                    + " at least");
                }
            }
            for (AtRisk atRisk : span.atRisk()) {
                draft.judged(1);
                checkAtRisk(atRisk, span, windows, draft);
            }
        }
        return draft.verdict();
    }

    private boolean isPossible(Announced announced, Span span, Windows windows) {
        Loss loss = announced.loss();
        if (loss == Loss.CLOSED) {
            return windows.closing(span.process()) <= announced.at();
        }
        if (loss == Loss.FAILOVER) {
            return wasForgotten(span, announced.at(), windows, lost -> !lost.certain());
        }
        boolean over = validUntil(span, announced.at(), windows) <= announced.at();
        boolean aboutTheKey = loss == Loss.GONE || loss == Loss.TAKEN;
        return over || (aboutTheKey && wasForgotten(span, announced.at(), windows, lost -> true));
    }

    private boolean isPossible(SeenLost seen, Span span, Windows windows) {
        return validUntil(span, seen.at(), windows) <= seen.at()
                || wasForgotten(span, seen.at(), windows, lost -> true)
                || windows.closing(span.process()) <= seen.at();
    }

    /** A hold that was handed off can have been lost before its owner requested the lock. */
    private boolean wasForgotten(Span span, long at, Windows windows, Predicate<DataLost> kind) {
        return windows.losses(span.lock()).stream()
                .filter(kind)
                .anyMatch(loss -> loss.since() <= at
                        && loss.at() + terms.noticeNanos()
                                >= span.grant().called().at());
    }

    /** {@return the time until which a hold was valid at least, by what was reported to its owner before a moment} */
    private long validUntil(Span span, long at, Windows windows) {
        long renewed = span.confirmedUntil(terms, at);
        long called = span.grant().called().at();
        boolean calm = !windows.broken(called - terms.lease().toNanos(), at);
        long granted = calm
                ? called + terms.firstLeaseNanos(span.grant()) - terms.drift().toNanos()
                : Long.MIN_VALUE;
        return Math.max(renewed, granted);
    }

    private void checkAtRisk(AtRisk atRisk, Span span, Windows windows, Verdict.Draft draft) {
        long earliest = Math.max(earliestEver(atRisk, span, windows), earliestInCalm(atRisk, span, windows));
        if (atRisk.at() < earliest) {
            draft.violated(
                    atRisk.at(),
                    span.lock(),
                    span + " was reported at risk, but no renewal could be late before " + earliest);
        }
    }

    private long earliestEver(AtRisk atRisk, Span span, Windows windows) {
        long valid = validUntil(span, atRisk.at(), windows);
        return valid == Long.MIN_VALUE ? valid : valid - terms.lease().toNanos() / 2;
    }

    /** Judged by the time at which the last confirmation was reported, which may be later than the confirmation. */
    private long earliestInCalm(AtRisk atRisk, Span span, Windows windows) {
        long reported = span.confirmed().stream()
                .mapToLong(Confirmed::at)
                .filter(at -> at <= atRisk.at())
                .max()
                .orElse(Long.MIN_VALUE);
        boolean calm = reported != Long.MIN_VALUE
                && !windows.broken(reported - terms.answer().toNanos(), atRisk.at());
        long lease = terms.lease().toNanos();
        return calm ? reported - terms.prompt().toNanos() + lease - lease / 3 : Long.MIN_VALUE;
    }
}
