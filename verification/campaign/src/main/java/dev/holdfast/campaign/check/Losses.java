package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.ReportChannel;
import java.util.stream.Stream;

/**
 * Every lost lease is reported in time. Unless it is released, a hold is over, as far as its holder can know, when its
 * lease has passed since the last confirmation. Within {@link Terms#prompt} from then on the loss is reported to the
 * listener, and by the handle if there is one. No later check finds the hold valid, and if a check finds it invalid
 * earlier, the report follows as soon after that. When the key vanished makes no difference, since no renewal is
 * confirmed from then on.
 *
 * <p>The end of the lease is counted from the time at which a confirmation was reported, which is later than the time
 * at which the renewal was sent, so that each violation is certain. The time for which a process was stopped does not
 * count. A process that was killed, or has begun to close its clients, need not report anything; and if it was killed,
 * the last confirmation may be missing in its journal. A client of another library does not report losses and has no
 * local validity: its checks query the server, which counts on its own clock.
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
            channels(span)
                    .filter(channel -> firstReport(span, channel) > deadline)
                    .forEach(channel -> draft.violated(
                            deadline,
                            span.lock(),
                            span + " lost its lease at " + lost + " at the latest, and its " + channel
                                    + " did not report it until " + deadline));
        }
    }

    private static Stream<ReportChannel> channels(Span span) {
        return switch (span.grant().called().by()) {
            case REDISSON -> Stream.of();
            case HANDLE, SEGMENT, PERMITS -> Stream.of(ReportChannel.LISTENER, ReportChannel.HANDLE);
            default -> Stream.of(ReportChannel.LISTENER);
        };
    }

    private static long firstSeen(Span span) {
        return span.seenLost().stream().mapToLong(SeenLost::at).min().orElse(Operation.NEVER);
    }

    private static long firstReport(Span span, ReportChannel channel) {
        return span.announced().stream()
                .filter(announced -> announced.through() == channel)
                .mapToLong(Announced::at)
                .min()
                .orElse(Operation.NEVER);
    }

    /** The time until which a loss has to be reported to the holder. */
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
            draft.violated(last, span.lock(), span + " was considered valid " + (last - over) + " ns after its lease");
        }
    }
}
