package dev.holdfast.campaign.check;

import dev.holdfast.campaign.check.Times.Time;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Detects a waiter that sleeps while others acquire the lock again and again. A release grants the lock to the first
 * client in line; where clients form none, the first attempt after a release wins, and a client whose turn is over
 * backs off so that others go first. So a client that receives its messages acquires the lock from time to time. One
 * that receives none sleeps until the holder's lease ends, however often the lock is free before that.
 *
 * <p>Therefore no waiter is passed over by {@value #TIMES} turns within a time that is longer than twice {@link
 * Terms#prompt}, and in which no fault hits its client, the lock is not lost, and no owner ahead of it in its client's
 * queue has it: none that called before. A client has one queue for a name, whether its owners want the plain lock or
 * the fenced one. Only turns of owners count that requested the lock within that time. During a turn of some 15 ms the
 * lock is handed off within a client, and no other client can acquire it: only the begin of a turn is a race that the
 * waiter lost. A single long hold is one turn, and the time after the begin of the last turn does not count. Nor does
 * the time in which the lock stands still because it was granted to a client that was killed or stopped, or whose
 * message was lost: it expires with the line, and a waiter that had a place in it tries again later than those that
 * come then. Neither a client of another library nor a call that does not wait backs off, so turns that these begin do
 * not count.
 *
 * <p>In a crowd, {@value #TIMES} turns are less than one for each client. The line is renewed whenever the lock is left
 * free for others, and then all clients join it again, so a waiter may be behind each of them once more: more than
 * {@value #TIMES_EACH} turns for each of the clients are a violation. Where clients lack a right for the line, the first
 * attempt after a release wins by chance, and {@link Terms#UNLINED} times as many turns are one.
 */
final class PassedOver {
    static final int TIMES = 10;

    /** In a crowd: how often each of the other clients may be served before the waiter. */
    private static final int TIMES_EACH = 2;

    private static final int PROMPT_TIMES = 2;

    /** The faults by which the lock is granted to a client that does not use it. */
    private static final Set<Fault> LOSES_GRANTS =
            EnumSet.of(Fault.CLIENT_KILLED, Fault.CLIENT_CLOSED, Fault.CLIENT_PAUSED, Fault.MESSAGES_LOST);

    private static final long TURN_NANOS = Duration.ofMillis(20).toNanos();

    private final Terms terms;
    private final String lock;
    private final Windows windows;
    private final Spans spans;

    PassedOver(Terms terms, String lock, Windows windows, Spans spans) {
        this.terms = terms;
        this.lock = lock;
        this.windows = windows;
        this.spans = spans;
    }

    /** @param until when it stopped waiting */
    void judge(Operation waiter, long until, Verdict.Draft draft) {
        long longest = PROMPT_TIMES * terms.prompt().toNanos();
        if (waiter.called().by() == By.REDISSON || until - waiter.called().at() <= longest) {
            return;
        }
        for (Time time : excused(waiter).leftOf(waiter.called().at(), until)) {
            List<Operation> grants = grantsIn(time);
            if (!grants.isEmpty()) {
                long slept = grants.get(grants.size() - 1).end() - time.since();
                if (slept > longest) {
                    judge(waiter, time, grants, slept, draft);
                }
            }
        }
    }

    /** {@return the grants within this time, in their order, that were requested within it} */
    private List<Operation> grantsIn(Time time) {
        return spans.of(lock).stream()
                .map(Span::grant)
                .filter(grant -> grant.called().at() > time.since() && grant.end() < time.until())
                .sorted(Comparator.comparingLong(Operation::end))
                .toList();
    }

    /** @param slept the time up to the last grant: after that the lock is held, and nobody is passed over */
    private void judge(Operation waiter, Time time, List<Operation> grants, long slept, Verdict.Draft draft) {
        int passed = turns(grants);
        long clients = grants.stream().map(Operation::client).distinct().count();
        if (passed >= terms.turns(TIMES) && passed > terms.turns(TIMES_EACH) * clients) {
            draft.violated(
                    time.since(),
                    lock,
                    waiter.owner() + " (" + waiter.op() + ") was passed over by " + passed + " turns within " + slept
                            + " ns, and no owner ahead of it in its client had the lock during that time");
        }
    }

    /** {@return the number of turns that these grants form in sequence, without those that need not back off} */
    private static int turns(List<Operation> grants) {
        int turns = 0;
        Operation first = null;
        for (Operation grant : grants) {
            boolean sameTurn =
                    first != null && first.client().equals(grant.client()) && grant.end() - first.end() < TURN_NANOS;
            if (!sameTurn) {
                first = grant;
                turns += backsOff(grant) ? 1 : 0;
            }
        }
        return turns;
    }

    private static boolean backsOff(Operation grant) {
        return grant.called().by() != By.REDISSON && grant.called().what() != What.TRY;
    }

    /**
     * {@return the times in which being passed over is excused: an owner ahead of it had the lock, its client was hit
     * by a fault, or the lock was lost, or may have been granted to a client that did not use it}
     */
    private Times excused(Operation waiter) {
        Times times = new Times();
        spans.of(lock).stream()
                .filter(span -> isAhead(span.grant(), waiter))
                .forEach(span -> times.add(span.grant().end(), span.left()));
        windows.all().stream()
                .filter(window -> window.hits(waiter.op().process()))
                .forEach(window -> times.add(window.since(), after(window.until(), terms.mendingNanos())));
        windows.all().stream()
                .filter(window -> LOSES_GRANTS.contains(window.fault()))
                .forEach(window -> times.add(window.since(), after(window.until(), terms.standstillNanos())));
        windows.losses(lock)
                .forEach(loss ->
                        times.add(loss.since(), after(loss.at(), terms.lease().toNanos() + terms.mendingNanos())));
        return times;
    }

    private static boolean isAhead(Operation grant, Operation waiter) {
        return grant.client().equals(waiter.client())
                && grant.called().at() <= waiter.called().at();
    }

    private static long after(long end, long nanos) {
        return end == Operation.NEVER ? end : end + nanos;
    }
}
