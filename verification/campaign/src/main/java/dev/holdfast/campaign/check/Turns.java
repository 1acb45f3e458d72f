package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.What;

/**
 * Every call returns in time. From its call or the end of the last fault, whichever is later, a call without a limit
 * returns within {@link Terms#turn}, a call with a limit when that is over, and any other call at once, each of the
 * latter two plus {@link Terms#answer} and {@link Terms#prompt}; a wait for a condition, which ends with the lock, within its limit
 * plus {@link Terms#turn}.
 *
 * <p>A call that had not returned when its process was killed is not judged. One that never returned is judged by the
 * end of the history, which has to be late enough: a call shortly before it is counted as undecided. So is a late call
 * in a history with a fault that has no end.
 */
final class Turns implements Checker {
    private final Terms terms;

    Turns(Terms terms) {
        this.terms = terms;
    }

    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("after the last fault, every call comes back in time");
        Windows windows = new Windows(history);
        long healed = windows.lastEnd();
        for (Operation operation : history.calls()) {
            boolean killed = operation.end() == Operation.NEVER
                    && windows.killed(operation.op().process()) != Operation.NEVER;
            if (!killed) {
                draft.judged(1);
                judge(operation, healed, history.end(), draft);
            }
        }
        return draft.verdict();
    }

    private void judge(Operation operation, long healed, long end, Verdict.Draft draft) {
        boolean broken = healed == Operation.NEVER;
        long called = operation.called().at();
        long from = broken ? called : Math.max(called, healed);
        long allowed = allowed(operation);
        boolean never = operation.end() == Operation.NEVER;
        boolean late = Math.min(operation.end(), end) - from > allowed;
        if (never && (broken || !late)) {
            draft.undecided(operation.op() + " had not returned when the history ended");
        } else if (late && broken) {
            draft.undecided(operation.op() + " returned late, but a fault had no end");
        } else if (late) {
            draft.violated(
                    from + allowed,
                    operation.lock(),
                    operation.called().what() + " of " + operation.owner() + " (" + operation.op() + ") "
                            + (never ? "never returned" : "took " + (operation.end() - from) + " ns")
                            + ", but was allowed " + allowed);
        }
    }

    private long allowed(Operation operation) {
        What what = operation.called().what();
        if (what == What.LOCK) {
            return terms.turn().toNanos();
        }
        long wait = Math.max(0, operation.called().waitMillis()) * 1_000_000;
        if (what == What.REGAIN) {
            return wait + terms.turn().toNanos();
        }
        return wait + terms.answer().toNanos() + terms.prompt().toNanos();
    }
}
