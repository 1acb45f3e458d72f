package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Operation;
import java.util.List;

/**
 * The windows that {@code docs/guarantees.md} names, in which two holders may believe themselves valid at once: after the
 * server lost a lock (<em>Data loss</em>, <em>Forced open</em>), until the holder finds out; and when a lock that had been
 * lost is passed on within a client (<em>Handing on</em>), until the answer is there. Nothing else excuses an overlap: no
 * fault of the network, and no pause.
 */
final class Named {
    private final Terms terms;
    private final Windows windows;
    private final Spans spans;

    Named(Terms terms, Windows windows, Spans spans) {
        this.terms = terms;
        this.windows = windows;
        this.spans = spans;
    }

    /** {@return whether this hold may be believed in from one moment to the other although another is valid} */
    boolean excuses(Span span, long from, long to) {
        return windows.losses(span.lock()).stream()
                .anyMatch(loss -> loss.since() <= from && (lost(span, loss, to) || handedOn(span, loss, to)));
    }

    /**
     * A renewed hold finds out with its next renewal. One that is not renewed finds out at the end of its lease, to which its
     * belief is bound in any case.
     */
    private boolean lost(Span span, DataLost loss, long to) {
        return wasHeld(span, loss) && (!span.isWatched() || to <= loss.at() + terms.noticeNanos());
    }

    /**
     * The answer to the release by which a lost lock was passed on ends the belief of all who got it that way. Should the
     * connection end instead, their holds are valid no longer than that of the one who passed it on.
     */
    private boolean handedOn(Span span, DataLost loss, long to) {
        List<Span> before = spans.of(span.lock());
        return before.stream()
                .filter(earlier -> earlier != span
                        && earlier.client().equals(span.client())
                        && wasHeld(earlier, loss)
                        && earlier.releasing() != Operation.NEVER
                        && earlier.releasing() >= loss.since()
                        && earlier.releasing() <= span.grant().end())
                .anyMatch(earlier -> to <= answered(earlier));
    }

    private long answered(Span passedOn) {
        long answer = passedOn.releasing() + terms.answer().toNanos();
        return windows.broken(passedOn.releasing(), answer) ? Math.max(answer, passedOn.latestEnd(terms)) : answer;
    }

    /** Whether a hold was there when its lock was lost; the grant may have been under way. */
    private boolean wasHeld(Span span, DataLost loss) {
        return span.grant().called().at() <= loss.at()
                && span.grant().end() <= loss.at() + terms.answer().toNanos();
    }
}
