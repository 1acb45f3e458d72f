package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Readers and writers of a read-write lock have it in turn, and neither starve. Three things are violations, each while no
 * fault lasts:
 *
 * <ul>
 *   <li>a reader waits while no writer has the lock, or waits for it, for longer than {@link Terms#prompt}: readers share;
 *   <li>a reader waits for {@value #TURNS} turns of writers. One is that which it finds, or which waits when it comes. Some more can
 *       come in between, since every one to three seconds the lock is left free for callers that poll, and is anybody's then; and
 *       since the lines end with a lease that its holder has outlived;
 *   <li>a writer waits, no other writer has the lock, and it is granted to readers that requested it later. A reader that
 *       has waited before the writer's turn, or wins the lock when it is left free, is granted it soon, with those that wait in
 *       its client. So the grants are a violation if two of them, requested later than {@link Terms#prompt} after the
 *       beginning of that time, are that far apart.
 * </ul>
 *
 * <p>A call has a place in line {@link Terms#prompt} after it began, and is not judged before. Nor is it during faults, and until
 * the lines are formed again, as by {@link Overtaking}, nor while a client of another library waits, whose readers join each
 * other. Where clients form no lines, nothing is promised.
 */
final class Phases implements Checker {
    static final int TURNS = 6;

    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();

    private final Terms terms;

    Phases(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("readers share a lock, and have it in turn with writers");
        Windows windows = new Windows(history);
        Spans spans = new Spans(history, windows);
        Map<String, List<Operation>> byLock =
                history.operations().stream().collect(Collectors.groupingBy(Operation::lock));
        byLock.forEach((lock, operations) -> {
            if (operations.stream().anyMatch(Operation::reads)) {
                new OfLock(lock, operations, windows, spans, draft).judge(history.end());
            }
        });
        return draft.verdict();
    }

    /** The phases of one lock. */
    private final class OfLock {
        private final List<Operation> operations;
        private final Windows windows;
        private final Verdict.Draft draft;
        private final Use byWriters;
        private final Times excused;
        private final Times written = new Times();
        private final List<Operation> writes;
        private final List<Operation> reads;

        OfLock(String lock, List<Operation> operations, Windows windows, Spans spans, Verdict.Draft draft) {
            this.operations = operations;
            this.windows = windows;
            this.draft = draft;
            this.byWriters = Use.byWriters(lock, operations, terms, windows, spans);
            this.excused = Overtaking.excused(lock, operations, terms, windows);
            this.writes = grants(spans.of(lock), false);
            this.reads = grants(spans.of(lock), true);
            spans.of(lock).stream().filter(span -> !span.reads()).forEach(this::addWritten);
        }

        private static List<Operation> grants(List<Span> spans, boolean ofReaders) {
            return spans.stream()
                    .filter(span -> span.reads() == ofReaders)
                    .map(Span::grant)
                    .sorted(Comparator.comparingLong(Operation::end))
                    .toList();
        }

        private void addWritten(Span span) {
            long until = span.left() == Operation.NEVER
                    ? span.latestEnd(terms) + terms.lease().toNanos()
                    : span.left();
            long since = span.grant().end() - terms.prompt().toNanos();
            written.add(Math.max(span.grant().called().at(), since), until);
        }

        void judge(long end) {
            for (Operation waiter : operations) {
                if (waiter.called().what().acquires()
                        && waiter.called().waitMillis() != 0
                        && waiter.called().by() != By.REDISSON) {
                    draft.judged(1);
                    long until = Math.min(
                            Math.min(waiter.end(), end),
                            windows.killed(waiter.op().process()));
                    long since = waiter.called().at() + terms.prompt().toNanos();
                    if (until > since) {
                        judge(waiter, since, until);
                    }
                }
            }
        }

        private void judge(Operation waiter, long since, long until) {
            if (waiter.reads()) {
                judgeSharing(waiter, until);
            }
            if (terms.lined()) {
                for (Time time : excused(waiter).leftOf(since, until)) {
                    if (waiter.reads()) {
                        judgeReader(waiter, time);
                    } else {
                        judgeWriter(waiter, time);
                    }
                }
            }
        }

        private Times excused(Operation waiter) {
            Times times = new Times();
            excused.merged().forEach(time -> times.add(time.since(), time.until()));
            windows.all().stream()
                    .filter(window -> window.hits(waiter.op().process()))
                    .forEach(window -> times.add(window.since(), mended(window.until())));
            return times;
        }

        private long mended(long end) {
            return end == Operation.NEVER ? end : end + terms.mendingNanos();
        }

        private void judgeSharing(Operation waiter, long until) {
            for (Time free : byWriters.freeWithin(waiter.called().at(), until)) {
                long slept = byWriters.freeNanos(free);
                if (slept > terms.prompt().toNanos()) {
                    violated(
                            waiter,
                            free.since(),
                            "waited for " + slept + " ns, while no writer had the lock or waited");
                }
            }
        }

        private void judgeReader(Operation waiter, Time time) {
            List<Operation> turns = new ArrayList<>();
            for (Operation grant : writes) {
                Operation last = turns.isEmpty() ? null : turns.get(turns.size() - 1);
                boolean sameTurn =
                        last != null && last.client().equals(grant.client()) && grant.end() - last.end() < TURN_NANOS;
                if (grant.end() > time.since() && grant.end() < time.until() && !sameTurn) {
                    turns.add(grant);
                }
            }
            if (turns.size() >= TURNS) {
                violated(waiter, time.since(), "waited to read for " + turns.size() + " turns of writers");
            }
        }

        private void judgeWriter(Operation waiter, Time time) {
            for (Time unwritten : written.leftOf(time.since(), time.until())) {
                long since = unwritten.since() + terms.prompt().toNanos();
                List<Operation> later = reads.stream()
                        .filter(grant -> grant.called().by() != By.REDISSON)
                        .filter(grant -> grant.called().at() > since && grant.end() < unwritten.until())
                        .toList();
                if (!later.isEmpty()
                        && later.get(later.size() - 1).end() - later.get(0).end()
                                > terms.prompt().toNanos()) {
                    violated(
                            waiter,
                            unwritten.since(),
                            "waited to write while " + later.size() + " readers that came later were granted the lock");
                }
            }
        }

        private void violated(Operation waiter, long at, String what) {
            draft.violated(at, waiter.lock(), waiter.owner() + " (" + waiter.op() + ") " + what);
        }
    }
}
