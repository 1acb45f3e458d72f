package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Nobody sleeps beside a free lock: while nothing is broken, no call waits for longer than {@link Terms#prompt} while nobody
 * can have the lock.
 *
 * <p>Somebody can have it from shortly before a grant returned until its release has; a release of unknown outcome, and a
 * holder that went away without one, for a lease more; a call whose caller gave up, from shortly before to shortly after.
 * <em>Shortly</em> is {@link Terms#prompt}, so a grant that was delivered that late is a violation too. Faults take the
 * lock's time from their beginnings until as long after their ends; the deletion of a key, of which nobody is told, until
 * the lease is over.
 */
final class WakeUps implements Checker {
    private final Terms terms;

    WakeUps(Terms terms) {
        this.terms = terms;
    }

    private record Gap(long since, long until) {}

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("nobody sleeps beside a free lock");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock =
                history.operations().stream().collect(Collectors.groupingBy(Operation::lock));
        byLock.forEach((lock, operations) -> {
            List<Gap> taken = new ArrayList<>();
            spans.of(lock).forEach(span -> taken.add(held(span, windows)));
            operations.stream()
                    .filter(operation -> wasGivenUp(operation, windows))
                    .forEach(operation -> taken.add(givenUp(operation, windows)));
            windows.all().forEach(window -> taken.add(around(window.since(), window.until())));
            windows.losses(lock)
                    .forEach(loss -> taken.add(
                            around(loss.since(), loss.at() + terms.lease().toNanos())));
            List<Gap> free = free(taken, history.end());
            for (Operation operation : operations) {
                if (operation.called().waitMillis() != 0
                        && operation.called().what().acquires()) {
                    draft.judged(1);
                    judge(operation, free, windows, history.end(), draft);
                }
            }
        });
        return draft.verdict();
    }

    private void judge(Operation waiter, List<Gap> free, Windows windows, long end, Verdict.Draft draft) {
        Called called = waiter.called();
        long until =
                Math.min(Math.min(waiter.end(), end), windows.killed(called.op().process()));
        for (Gap gap : free) {
            long slept = Math.min(gap.until(), until) - Math.max(gap.since(), called.at());
            if (slept > terms.prompt().toNanos()) {
                draft.violated(
                        Math.max(gap.since(), called.at()),
                        called.lock(),
                        called.owner() + " (" + called.op() + ") waited for " + slept
                                + " ns while nobody had the lock");
            }
        }
    }

    private Gap held(Span span, Windows windows) {
        long since = span.grant().end() - terms.prompt().toNanos();
        if (span.wasReleased()) {
            return new Gap(since, span.left());
        }
        long gone = Math.min(windows.killed(span.process()), windows.closing(span.process()));
        long kept = Math.min(span.left(), gone);
        return new Gap(since, kept == Operation.NEVER ? kept : withLease(Math.max(kept, span.latestEnd(terms))));
    }

    private long withLease(long time) {
        return time
                + terms.lease().toNanos()
                + terms.answer().toNanos()
                + terms.prompt().toNanos();
    }

    /** Whether this can have taken the lock for somebody who does not know. One that only has not come back yet waits. */
    private static boolean wasGivenUp(Operation operation, Windows windows) {
        return operation.called().what().acquires()
                && !operation.isKnown()
                && (operation.returned() != null
                        || windows.killed(operation.op().process()) != Operation.NEVER);
    }

    private Gap givenUp(Operation operation, Windows windows) {
        if (operation.is(Outcome.INTERRUPTED) || operation.is(Outcome.CANCELLED)) {
            return around(operation.end() - terms.prompt().toNanos(), operation.end());
        }
        if (operation.returned() != null) {
            return new Gap(operation.called().at(), withLease(operation.end()));
        }
        long killed = windows.killed(operation.op().process());
        return new Gap(killed - terms.prompt().toNanos(), withLease(killed));
    }

    private Gap around(long since, long until) {
        return new Gap(
                since, until == Operation.NEVER ? until : until + terms.prompt().toNanos());
    }

    /** {@return what is left between these times, if it is long enough to matter, until the end of the history} */
    private List<Gap> free(List<Gap> taken, long end) {
        List<Gap> sorted =
                taken.stream().sorted(Comparator.comparingLong(Gap::since)).toList();
        List<Gap> free = new ArrayList<>();
        long from = Long.MIN_VALUE;
        for (Gap gap : sorted) {
            add(from, gap.since(), free);
            from = Math.max(from, gap.until());
        }
        add(from, end, free);
        return free;
    }

    private void add(long from, long to, List<Gap> free) {
        if (to > from && (from == Long.MIN_VALUE || to - from > terms.prompt().toNanos())) {
            free.add(new Gap(from, to));
        }
    }
}
