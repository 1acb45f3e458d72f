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
    private final Vanished vanished;

    Named(Terms terms, Windows windows, Spans spans) {
        this.terms = terms;
        this.windows = windows;
        this.spans = spans;
        this.vanished = new Vanished(terms, windows);
    }

    /** {@return whether this hold may be believed in from one moment to the other although another is valid} */
    boolean excuses(Span span, long from, long to) {
        return windows.losses(span.lock()).stream()
                .anyMatch(loss -> loss.since() <= from && (lost(span, loss, to) || handedOn(span, loss, to)));
    }

    private boolean lost(Span span, DataLost loss, long to) {
        return wasHeld(span, loss) && to <= vanished.noticed(span, loss);
    }

    /**
     * The answer to the release by which a lost lock was passed on ends the belief of all who got it that way. Should the
     * connection end instead, their holds are valid no longer than that of the one who passed it on. What has a token was
     * awaited, and is no such hold.
     */
    private boolean handedOn(Span span, DataLost loss, long to) {
        List<Span> before = spans.of(span.lock());
        return span.grant().token() == 0
                && before.stream()
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

    /**
     * Whether a hold can have been there when its lock was lost. The grant may have been under way; but not longer than
     * what is prompt, unless something was broken for its client, and not where another is known to have had the lock.
     */
    private boolean wasHeld(Span span, DataLost loss) {
        String process = span.process();
        long delivered = windows.undisturbed(
                process,
                loss.since(),
                loss.at() + terms.prompt().toNanos(),
                terms.answer().toNanos());
        return span.grant().called().at() <= loss.at()
                && span.grant().end() <= delivered
                && spans.of(span.lock()).stream().noneMatch(other -> other != span && surelyHeld(other, loss));
    }

    /** Whether a hold was there all the time in which its lock was lost, and none was lost before that it could go back to. */
    private boolean surelyHeld(Span span, DataLost loss) {
        long before = span.grant().called().at() - terms.lease().toNanos();
        return span.believed().stream().anyMatch(belief -> belief.since() < loss.since() && belief.at() > loss.at())
                && windows.losses(span.lock()).stream()
                        .noneMatch(earlier -> earlier.at() < loss.since() && earlier.at() >= before);
    }
}
