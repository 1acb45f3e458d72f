package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Clients are served in the order in which they joined the line: a client that waits is not overtaken again and again
 * by another one that requested the lock later each time. {@link PassedOver} detects a waiter that is passed over by
 * many turns in a long time; in a crowd, a client that has lost its place is back in less, since the line is renewed
 * every few seconds. This rule counts the turns of one and the same client instead. In a line that is kept, they are
 * none.
 *
 * <p>Of a read-write lock, that is said of writers among each other; {@link Phases} has the rest.
 *
 * <p>A waiter is overtaken if {@value #TIMES} turns of one other client, each requested after the waiter's call, begin
 * within a time that is longer than {@link Terms#prompt}. Some turns are allowed, and so are not counted or do not
 * suffice, because
 *
 * <ul>
 *   <li>a client needs some round trips to join the line: {@link Terms#prompt}, and a sign of life of its process between
 *       any two turns that are counted, so that they are not those of a moment in which its process did not run;
 *   <li>every one to three seconds the lock is left free for callers that poll, which renews the line: that costs a waiter two
 *       turns at most, as the other may acquire the free lock and join the line before it;
 *   <li>while a client of another library waits, that happens after each turn of the line: this time is not judged, and
 *       what such a client or a call that does not wait acquires is no turn;
 *   <li>the line ends with the key: a fault of any client is excused until the next grant of the lock, for {@link
 *       Terms#answer} and {@link Terms#prompt} after it, one of its own client until that is connected again, and the
 *       deletion of the key for a lease;
 *   <li>within a client, waiters have a queue of their own: the holds of its owners that called before are excused, and
 *       handoffs within one turn of another client count once;
 *   <li>where clients lack a right for the line, they compete for each release: {@link Terms#UNLINED} times as many turns
 *       are allowed.
 * </ul>
 *
 * <p>At a fair lock, one turn of any other owner is a violation, of the waiter's own client or of another, if it was requested
 * more than {@link Terms#prompt} after the waiter's call, or after what is excused, and the waiter's process has shown a sign of
 * life in between.
 */
final class Overtaking implements Checker {
    static final int TIMES = 6;

    /** Those that have no place in the line, or no lasting one: they wait for several locks. */
    private static final Set<By> NO_PLACE = EnumSet.of(By.REDISSON, By.MULTI, By.SEGMENT);

    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();

    private final Terms terms;

    Overtaking(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no client is overtaken again and again");
        Windows windows = new Windows(history);
        Map<String, NavigableSet<Long>> life = signsOfLife(history);
        Map<String, List<Operation>> byLock = history.lockOperations().stream()
                .filter(operation -> operation.called().what().acquires() && !operation.reads())
                .collect(Collectors.groupingBy(Operation::lock));
        Spans spans = new Spans(history, windows);
        byLock.forEach((lock, operations) -> {
            List<Operation> grants = spans.of(lock).stream()
                    .filter(span -> !span.reads())
                    .map(Span::grant)
                    .sorted(Comparator.comparingLong(Operation::end))
                    .toList();
            Times excused = excused(lock, operations, terms, windows);
            for (Operation waiter : operations) {
                if (waiter.called().waitMillis() != 0
                        && waiter.called().what() != What.REGAIN
                        && !NO_PLACE.contains(waiter.called().by())) {
                    draft.judged(1);
                    long until = Math.min(
                            Math.min(waiter.end(), history.end()),
                            windows.killed(waiter.op().process()));
                    if (until - waiter.called().at() > terms.prompt().toNanos()) {
                        judge(waiter, until, grants, excused(waiter, excused, windows, spans), life, draft);
                    }
                }
            }
        });
        return draft.verdict();
    }

    private static Map<String, NavigableSet<Long>> signsOfLife(History history) {
        return history.operations().stream()
                .collect(Collectors.groupingBy(
                        operation -> operation.op().process(),
                        Collectors.flatMapping(
                                operation -> LongStream.of(operation.called().at(), operation.end())
                                        .boxed(),
                                Collectors.toCollection(TreeSet::new))));
    }

    private void judge(
            Operation waiter,
            long until,
            List<Operation> grants,
            Times excused,
            Map<String, NavigableSet<Long>> life,
            Verdict.Draft draft) {
        long prompt = terms.prompt().toNanos();
        NavigableSet<Long> alive = life.getOrDefault(waiter.op().process(), new TreeSet<>());
        for (Time time : excused.leftOf(waiter.called().at(), until)) {
            List<Operation> within = turnsIn(time, grants);
            if (terms.fair()) {
                judgeFair(waiter, time, within, alive, draft);
            }
            Map<String, List<Operation>> byClient = within.stream()
                    .filter(turn -> !turn.client().equals(waiter.client()))
                    .collect(Collectors.groupingBy(Operation::client));
            byClient.forEach((client, turns) -> {
                long overtook = whileAlive(turns, alive);
                long slept = turns.get(turns.size() - 1).end() - time.since();
                if (overtook >= terms.turns(TIMES) && slept > prompt) {
                    draft.violated(
                            time.since(),
                            waiter.lock(),
                            waiter.owner() + " (" + waiter.op() + ") was overtaken by " + overtook + " turns of "
                                    + client + " within " + slept + " ns, each requested later");
                }
            });
        }
    }

    private void judgeFair(
            Operation waiter, Time time, List<Operation> turns, NavigableSet<Long> alive, Verdict.Draft draft) {
        for (Operation turn : turns) {
            long called = turn.called().at();
            boolean later = called - time.since() > terms.prompt().toNanos();
            if (later && !alive.subSet(time.since(), false, called, false).isEmpty()) {
                draft.violated(
                        turn.end(),
                        waiter.lock(),
                        waiter.owner() + " (" + waiter.op() + ") was overtaken at a fair lock by " + turn.owner() + " ("
                                + turn.op() + "), requested " + (called - time.since()) + " ns later");
                return;
            }
        }
    }

    /** {@return the first grants of the turns that begin within this time, and were requested within it} */
    private static List<Operation> turnsIn(Time time, List<Operation> grants) {
        List<Operation> turns = new ArrayList<>();
        for (Operation grant : grants) {
            boolean within = grant.called().at() > time.since() && grant.end() < time.until();
            boolean waited =
                    grant.called().by() != By.REDISSON && grant.called().what() != What.TRY;
            Operation last = turns.isEmpty() ? null : turns.get(turns.size() - 1);
            boolean sameTurn =
                    last != null && last.client().equals(grant.client()) && grant.end() - last.end() < TURN_NANOS;
            if (within && waited && !sameTurn) {
                turns.add(grant);
            }
        }
        return turns;
    }

    /** {@return how many of these turns have a sign of life between any two} */
    private static long whileAlive(Collection<Operation> turns, NavigableSet<Long> alive) {
        long count = 0;
        Long sign = Long.MIN_VALUE;
        for (Operation turn : turns) {
            if (sign != null && sign < turn.end()) {
                count++;
                sign = alive.higher(turn.end());
            }
        }
        return count;
    }

    /** {@return the times in which the line of this lock may end at any moment, or after each turn} */
    static Times excused(String lock, List<Operation> operations, Terms terms, Windows windows) {
        Times times = new Times();
        windows.all().forEach(window -> times.add(window.since(), after(window.until(), terms.standstillNanos())));
        windows.losses(lock)
                .forEach(loss ->
                        times.add(loss.since(), after(loss.at(), terms.lease().toNanos() + terms.mendingNanos())));
        operations.stream()
                .filter(operation -> operation.called().by() == By.REDISSON)
                .forEach(guest -> times.add(guest.called().at(), guest.end()));
        return times;
    }

    private Times excused(Operation waiter, Times ofAll, Windows windows, Spans spans) {
        Times times = new Times();
        ofAll.merged().forEach(time -> times.add(time.since(), time.until()));
        spans.of(waiter.lock()).stream()
                .filter(span -> !terms.fair()
                        && span.client().equals(waiter.client())
                        && span.grant().called().at() <= waiter.called().at())
                .forEach(span -> times.add(span.grant().end(), span.left()));
        windows.all().stream()
                .filter(window -> window.hits(waiter.op().process()))
                .forEach(window -> times.add(window.since(), after(window.until(), terms.mendingNanos())));
        return times;
    }

    private static long after(long end, long nanos) {
        return end == Operation.NEVER ? end : end + nanos;
    }
}
