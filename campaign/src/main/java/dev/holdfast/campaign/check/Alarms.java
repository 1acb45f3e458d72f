package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Loss;

/**
 * No false alarm. What a holder was told must be able to be true:
 *
 * <ul>
 *   <li>that its lease ran out, or that its hold is not valid: not before the lease has passed since the earliest moment at
 *       which the last renewal it had heard of can have been sent. A hold that was never renewed is judged by its grant, if
 *       nothing was broken since a lease before it: one that was passed on may end with the lease of the owner before it;
 *   <li>that the key is gone or taken: not unless the server lost it, or the lease had passed;
 *   <li>that the client was closed: not before somebody began to close it;
 *   <li>that a renewal is late: not before one is due, a third of the lease after the one before.
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
                            span + " was told " + announced.loss() + ", but its lease ran until "
                                    + validUntil(span, announced.at(), windows) + " at least");
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
        boolean over = validUntil(span, announced.at(), windows) <= announced.at();
        boolean aboutTheKey = loss == Loss.GONE || loss == Loss.TAKEN || loss == Loss.UNSAID;
        return over
                || (aboutTheKey && wasForgotten(span, announced.at(), windows))
                || (loss == Loss.UNSAID && windows.closing(span.process()) <= announced.at());
    }

    /** A hold that was passed on can have been lost before its owner asked for it. */
    private boolean wasForgotten(Span span, long at, Windows windows) {
        return windows.losses(span.lock()).stream()
                .anyMatch(loss -> loss.since() <= at
                        && loss.at() + terms.noticeNanos()
                                >= span.grant().called().at());
    }

    /** {@return until when, at least, a hold was valid for all that was heard before a moment} */
    private long validUntil(Span span, long at, Windows windows) {
        long renewed = span.confirmedUntil(terms, at);
        long called = span.grant().called().at();
        boolean calm = !windows.broken(called - terms.lease().toNanos(), at);
        long granted = calm
                ? called
                        + terms.leaseNanos(span.grant().called().leaseMillis())
                        - terms.drift().toNanos()
                : Long.MIN_VALUE;
        return Math.max(renewed, granted);
    }

    private void checkAtRisk(AtRisk atRisk, Span span, Windows windows, Verdict.Draft draft) {
        long lease = terms.lease().toNanos();
        long untilDue = lease - lease / 3;
        long valid = validUntil(span, atRisk.at(), windows);
        if (atRisk.at() + untilDue < valid) {
            draft.violated(
                    atRisk.at(),
                    span.lock(),
                    span + " was told of a late renewal, but the next was due at " + (valid - untilDue));
        }
    }
}
