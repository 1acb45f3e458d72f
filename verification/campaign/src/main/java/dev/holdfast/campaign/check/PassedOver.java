package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Operation;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether a waiter slept while others took the lock again and again. Between clients, whoever tries first after a release wins,
 * and one that has had its turn lets the others go first; so a client that hears of releases gets the lock now and then. One
 * that hears of none sleeps until the holder's lease ends, however often the lock is free meanwhile.
 *
 * <p>So, while nothing is broken for it, no waiter is passed over by {@value #TIMES} turns, of owners in other lines who asked
 * later, within a time in which nobody in its own had the lock and that is longer than what is prompt twice over. A client has one
 * line for a lock, and another for the fenced lock where it uses the plain one of that name as well. In a turn
 * of some 15 ms the lock is passed on within a client, and nobody else could have it: only its beginning is a race that was lost.
 * To wait for one long holder is none. A client of another library lets nobody go first, and what it takes does not count.
 */
final class PassedOver {
    static final int TIMES = 10;

    private static final int PROMPT_TIMES = 2;

    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();

    private final Terms terms;
    private final String lock;
    private final Windows windows;
    private final Spans spans;
    /** For each line, when it was not hindered by others: it had the lock, or something was broken. */
    private final Map<String, Times> excused = new HashMap<>();

    PassedOver(Terms terms, String lock, Windows windows, Spans spans) {
        this.terms = terms;
        this.lock = lock;
        this.windows = windows;
        this.spans = spans;
    }

    /** @param until when it waited no longer */
    void judge(Operation waiter, long until, Verdict.Draft draft) {
        if (waiter.called().by() == By.REDISSON) {
            return;
        }
        Times not = excused.computeIfAbsent(waiter.line(), line -> excused(waiter));
        for (Time time : not.leftOf(waiter.called().at(), until)) {
            long slept = time.until() - time.since();
            if (slept > PROMPT_TIMES * terms.prompt().toNanos()) {
                judge(waiter, time, slept, draft);
            }
        }
    }

    private void judge(Operation waiter, Time time, long slept, Verdict.Draft draft) {
        int passed = turns(spans.of(lock).stream()
                .map(Span::grant)
                .filter(grant -> grant.called().at() > time.since() && grant.end() < time.until())
                .sorted(Comparator.comparingLong(Operation::end))
                .toList());
        if (passed >= TIMES) {
            draft.violated(
                    time.since(),
                    lock,
                    waiter.owner() + " (" + waiter.op() + ") was passed over by " + passed + " turns within " + slept
                            + " ns, and its line did not have the lock meanwhile");
        }
    }

    /** {@return how many turns these grants make together, one after the other, without those of another library} */
    private static int turns(List<Operation> grants) {
        int turns = 0;
        Operation first = null;
        for (Operation grant : grants) {
            boolean sameTurn =
                    first != null && first.line().equals(grant.line()) && grant.end() - first.end() < TURN_NANOS;
            if (!sameTurn) {
                first = grant;
                turns += grant.called().by() == By.REDISSON ? 0 : 1;
            }
        }
        return turns;
    }

    private Times excused(Operation waiter) {
        Times times = new Times();
        spans.of(lock).stream()
                .filter(span -> span.grant().line().equals(waiter.line()))
                .forEach(span -> times.add(span.grant().end(), span.left()));
        windows.all().stream()
                .filter(window -> window.hits(waiter.op().process()))
                .forEach(window -> times.add(window.since(), after(window.until(), terms.mendingNanos())));
        windows.losses(lock)
                .forEach(loss ->
                        times.add(loss.since(), after(loss.at(), terms.lease().toNanos() + terms.mendingNanos())));
        return times;
    }

    private static long after(long end, long nanos) {
        return end == Operation.NEVER ? end : end + nanos;
    }
}
