package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Operation;
import java.util.List;

/**
 * The windows, named in {@code docs/guarantees.md}, in which two holders may both be valid by their own clocks: after
 * the server lost a lock (<em>Data loss</em>, <em>Failover</em>, <em>Forced open</em>), until the holder detects it; and
 * when a lost lock is handed off within a client (<em>Handoffs</em>), until the reply arrives. Nothing else excuses an overlap,
 * neither a fault of the network nor a pause.
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

    /** {@return whether this hold may be considered valid between two moments although another is valid} */
    boolean excuses(Span span, long from, long to) {
        return windows.losses(span.lock()).stream()
                .anyMatch(loss -> loss.since() <= from
                        && (lost(span, loss, to) || handedOn(span, loss, to) || joined(span, loss, to)));
    }

    private boolean lost(Span span, DataLost loss, long to) {
        return wasHeld(span, loss) && to <= vanished.noticed(span, loss);
    }

    /**
     * The reply to the release that handed off a lost lock ends the validity of all holds that were handed off after
     * it. If the connection ends instead, they are valid no longer than the hold before them. A hold with a token is
     * granted by the reply, and so is not such a hold.
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

    /** Readers join those of their client without a command, and detect a loss when these do. */
    private boolean joined(Span span, DataLost loss, long to) {
        return span.reads()
                && spans.of(span.lock()).stream()
                        .filter(earlier -> earlier != span
                                && earlier.reads()
                                && earlier.client().equals(span.client())
                                && earlier.releasing() >= loss.since()
                                && wasHeld(earlier, loss))
                        .anyMatch(earlier -> to <= vanished.noticed(earlier, loss));
    }

    private long answered(Span passedOn) {
        long answer = passedOn.releasing() + terms.answer().toNanos();
        return windows.broken(passedOn.releasing(), answer) ? Math.max(answer, passedOn.latestEnd(terms)) : answer;
    }

    /**
     * Whether a hold can have existed when its lock was lost. Its grant may have been in flight, but for no longer than
     * {@link Terms#prompt}, unless a fault hit its client; and not if another hold is known to have existed. When a
     * master was replaced, its fault is no excuse: what it grants afterwards is not believed, however late it replies.
     */
    private boolean wasHeld(Span span, DataLost loss) {
        long prompt = loss.at() + terms.prompt().toNanos();
        long delivered = loss.certain()
                ? windows.undisturbed(
                        span.process(), loss.since(), prompt, terms.answer().toNanos())
                : windows.afterRunning(span.process(), loss.at(), terms.prompt().toNanos());
        return span.grant().called().at() <= loss.at()
                && span.grant().end() <= delivered
                && spans.of(span.lock()).stream()
                        .noneMatch(other -> other != span && !other.admits(span) && surelyHeld(other, loss));
    }

    /** Whether a hold existed during the whole loss of its lock, and cannot itself result from an earlier loss. */
    private boolean surelyHeld(Span span, DataLost loss) {
        long before = span.grant().called().at() - terms.lease().toNanos();
        return span.believed().stream().anyMatch(belief -> belief.since() < loss.since() && belief.at() > loss.at())
                && windows.losses(span.lock()).stream()
                        .noneMatch(earlier -> earlier.at() < loss.since() && earlier.at() >= before);
    }
}
