package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * No acquisition fails while Redis replies: <em>A failure is not an answer</em>, in the guarantees. If no fault hit its
 * client for as long as it takes to {@linkplain Terms#mendingNanos recover}, up to the end of the call, and another call
 * of its process was made and answered shortly before that, Redis has replied: a call that may not wait any longer is refused
 * then, and any other one waits on. And a call that waits outlasts a short outage: it does not fail before its own limit,
 * unless Redis can have been gone for {@link Terms#outlasts}.
 *
 * <p>A call that waits for less than {@link Terms#prompt} may fail for want of a reply within its wait, and any call for
 * want of replicas. A client whose Redis user loses its right to a key fails at once. A client whose user may acquire no
 * lock is not judged, and one of another library neither.
 */
final class Failures implements Checker {
    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private static final Set<Outcome> ANSWERS = EnumSet.of(Outcome.GRANTED, Outcome.REFUSED, Outcome.RELEASED);

    private final Terms terms;

    Failures(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("no call fails while Redis replies, nor sooner than it may");
        Windows windows = new Windows(history);
        Set<String> judged = new HashSet<>();
        List<Operation> operations = history.operations();
        for (Operation operation : operations) {
            By by = operation.called().by();
            boolean may = !terms.refused().contains(operation.op().process());
            if (operation.called().what().acquires() && by != By.REDISSON && may) {
                draft.judged(1);
                boolean several = by == By.MULTI || by == By.SEGMENT;
                if (operation.is(Outcome.FAILED) && (!several || judged.add(operation.owner()))) {
                    judge(operation, operations, windows, draft);
                }
            }
        }
        return draft.verdict();
    }

    private void judge(Operation failed, List<Operation> operations, Windows windows, Verdict.Draft draft) {
        long called = failed.called().at();
        long calmSince = failed.end() - terms.mendingNanos();
        boolean calm = windows.all().stream()
                .noneMatch(window -> window.hits(failed.op().process()) && window.overlaps(calmSince, failed.end()));
        boolean forbidden = windows.all().stream()
                .anyMatch(window -> window.fault() == Fault.KEY_FORBIDDEN
                        && window.hits(failed.op().process())
                        && window.overlaps(called, failed.end()));
        long waited = failed.end() - called;
        long gone = failed.end() - outageOf(failed, windows);
        boolean mayFailAtOnce = terms.outlasts().isZero();
        if (calm && !mayFailAtOnce && !isHasty(failed) && isAnswered(failed, operations)) {
            draft.violated(
                    failed.end(),
                    failed.lock(),
                    named(failed) + " failed after " + waited + " ns, and no fault hit its client for "
                            + terms.mendingNanos() + " ns");
        } else if (!forbidden
                && !mayHaveRunOut(failed, windows)
                && waited < limitNanos(failed)
                && gone < terms.outlasts().toNanos()) {
            draft.violated(
                    failed.end(),
                    failed.lock(),
                    named(failed) + " failed after " + waited + " ns, when Redis had been gone for " + gone
                            + " ns at most");
        }
    }

    /**
     * {@return whether its process was answered shortly before its end, by a command that was sent shortly before; many readers
     * send none}
     */
    private boolean isAnswered(Operation failed, List<Operation> operations) {
        long shortly = failed.end() - terms.granted().toNanos();
        return operations.stream()
                .anyMatch(other -> !other.reads()
                        && other.op().process().equals(failed.op().process())
                        && other.called().at() > shortly
                        && other.end() < failed.end()
                        && ANSWERS.stream().anyMatch(other::is));
    }

    /** {@return whether its process was stopped for so long that the lease of a grant may have ended before it was read} */
    private boolean mayHaveRunOut(Operation failed, Windows windows) {
        long called = failed.called().at();
        long stopped = windows.all().stream()
                .filter(window -> window.fault() == Fault.CLIENT_PAUSED
                        && window.hits(failed.op().process())
                        && window.overlaps(called, failed.end()))
                .mapToLong(pause -> Math.min(pause.until(), failed.end()) - Math.max(pause.since(), called))
                .sum();
        return failed.called().leaseMillis() > 0
                && stopped > terms.leaseNanos(failed.called().leaseMillis()) / 2;
    }

    /** {@return whether its wait is so short that a busy machine may take longer for a reply} */
    private boolean isHasty(Operation failed) {
        long wait = TimeUnit.MILLISECONDS.toNanos(failed.called().waitMillis());
        return failed.called().what() == What.TRY_WAIT && wait < terms.prompt().toNanos();
    }

    /** {@return the limit of its wait, 0 if it does not wait; recorded in whole milliseconds} */
    private static long limitNanos(Operation failed) {
        long wait = failed.called().waitMillis();
        return wait < 0 ? Operation.NEVER : TimeUnit.MILLISECONDS.toNanos(wait) - MILLISECOND;
    }

    /** {@return when the faults began that its client had not recovered from when it was called, or the call} */
    private long outageOf(Operation failed, Windows windows) {
        long since = failed.called().at();
        for (int i = windows.all().size() - 1; i >= 0; i--) {
            Windows.Window window = windows.all().get(i);
            boolean lasts = window.until() == Operation.NEVER || window.until() + terms.mendingNanos() >= since;
            if (window.hits(failed.op().process()) && lasts && window.since() < since) {
                since = window.since();
            }
        }
        return since;
    }

    private static String named(Operation operation) {
        return operation.called().what() + " of " + operation.owner() + " (" + operation.op() + ")";
    }
}
