package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Told;
import java.util.stream.Stream;

/**
 * Every lost lease is announced. A hold that is not given back is over, as far as its holder can know, when its lease has
 * passed since the last confirmation; by then, and the time that things may take, it has been told so: by the listener, and
 * by its handle's signal if it has one. No look finds it valid after, and a look that finds it invalid earlier is followed by the
 * telling as soon. Whether the key vanished earlier makes no difference: no renewal is confirmed from then on.
 *
 * <p>The end of the lease is counted from when a confirmation was heard of, later than from when it was sent, so that a
 * complaint is certain. The time in which a process was stopped does not count. One that was killed, or has begun to close its
 * clients, need not say anything; and of one that was killed, the last confirmation may not have been recorded. A
 * client of another library tells nobody, and has no clock to look at: it asks the server, which counts in its own
 * milliseconds.
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
        long lost = Math.min(span.latestEnd(terms), firstSeen(span));
        long deadline =
                windows.afterRunning(span.process(), lost, terms.prompt().toNanos());
        if (deadline < endOfDuty(span, end, windows)) {
            ways(span)
                    .filter(way -> firstTold(span, way) > deadline)
                    .forEach(way -> draft.violated(
                            deadline,
                            span.lock(),
                            span + " lost its lease at " + lost + " at the latest, and its " + way
                                    + " told nothing until " + deadline));
        }
    }

    private static Stream<Told> ways(Span span) {
        return switch (span.grant().called().by()) {
            case REDISSON -> Stream.of();
            case HANDLE -> Stream.of(Told.LISTENER, Told.HANDLE);
            default -> Stream.of(Told.LISTENER);
        };
    }

    private static long firstSeen(Span span) {
        return span.seenLost().stream().mapToLong(SeenLost::at).min().orElse(Operation.NEVER);
    }

    private static long firstTold(Span span, Told way) {
        return span.announced().stream()
                .filter(announced -> announced.through() == way)
                .mapToLong(Announced::at)
                .min()
                .orElse(Operation.NEVER);
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
