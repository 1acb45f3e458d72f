package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;

/**
 * Every lost lease is announced. A hold that is not given back is over, as far as its holder can know, when its lease has
 * passed since the last confirmation; by then, and the time that things may take, it has heard so, and no look finds it
 * valid after. Whether the key vanished earlier makes no difference: no renewal is confirmed from then on.
 *
 * <p>The end of the lease is counted from when a confirmation was heard of, later than from when it was sent, so that a
 * complaint is certain. The time in which a process was stopped does not count. One that was killed, or has begun to close its
 * clients, need not say anything; and of one that was killed, the last confirmation may not have been recorded. A
 * client of another library has no clock to look at: it asks the server, which counts in its own milliseconds.
 */
final class Losses implements Checker {
    private final Terms terms;

    Losses(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("a lost lease is announced in time, and believed in no longer");
        Windows windows = new Windows(history);
        for (Span span : new Spans(history, windows).all()) {
            draft.judged(1);
            checkAnnounced(span, history.end(), windows, draft);
            checkBelieved(span, windows, draft);
        }
        return draft.verdict();
    }

    private void checkAnnounced(Span span, long end, Windows windows, Verdict.Draft draft) {
        long lost = span.latestEnd(terms);
        long deadline =
                windows.afterRunning(span.process(), lost, terms.prompt().toNanos());
        boolean silent =
                span.announced().stream().mapToLong(Announced::at).min().orElse(Operation.NEVER) > deadline;
        if (silent && deadline < endOfDuty(span, end, windows)) {
            draft.violated(
                    deadline,
                    span.lock(),
                    span + " lost its lease at " + lost + " at the latest and heard nothing until " + deadline);
        }
    }

    /** Until when a holder that has lost its lease is to be told. */
    private static long endOfDuty(Span span, long end, Windows windows) {
        long gone = Math.min(windows.killed(span.process()), windows.closing(span.process()));
        return Math.min(Math.min(end, span.releasing()), gone);
    }

    private void checkBelieved(Span span, Windows windows, Verdict.Draft draft) {
        long last = span.believed().stream().mapToLong(Believed::at).max().orElse(Long.MIN_VALUE);
        long over = span.latestEnd(terms);
        boolean recorded = windows.killed(span.process()) == Operation.NEVER;
        boolean byOwnClock = span.grant().called().by() != By.REDISSON;
        if (last > over && recorded && byOwnClock) {
            draft.violated(last, span.lock(), span + " was believed in " + (last - over) + " ns after its lease");
        }
    }
}
