package dev.holdfast.cli;

import java.time.Duration;

/**
 * Decides what happens to the command of {@code holdfast run}, so that it ends before its protection does. It acts on
 * nothing, and reads no clock: each event returns what is to be done.
 *
 * <pre>
 *                  busy, failed, signal
 *     WAITING ----------------------------------------------------------+
 *        |                                                              |
 *        | granted: START                                               |
 *        v          signal: FORWARD                                     |
 *     RUNNING -------------------------> STOPPING                       |
 *        |                                  |                           |
 *        |  at risk, or the lease           |                           |
 *        |  is nearly over: TERMINATE       |                           |
 *        +-----------------+----------------+                           |
 *        |                 v                |                           |
 *        |              AT_RISK             |                           |
 *        |                 |                |                           |
 *        |  lost: KILL     | lost, lease    | lost, signal: KILL        |
 *        |                 | over, signal:  |                           |
 *        |                 v KILL           |                           |
 *        +-------------> KILLED <-----------+                           |
 *        |                 |                                            v
 *        +-----------------+----- the command has ended --------------> ENDED
 * </pre>
 *
 * <p>AT_RISK is not left when the lock is safe again: the command has received SIGTERM, and may have begun to end. But it is
 * killed only when the lease that it has then is nearly over. A lock that is lost leaves no time for SIGTERM, since
 * another owner may have it. A second signal kills, as users expect of a program that does not end;
 * in AT_RISK the first one does, since SIGTERM was sent before.
 *
 * <p>Not safe for use by several threads.
 */
final class Supervision {
    private final EndTerms terms;
    private RunState state = RunState.WAITING;
    private boolean endangered;

    Supervision(EndTerms terms) {
        this.terms = terms;
    }

    RunState state() {
        return state;
    }

    /** {@return whether the lock was lost, or SIGTERM was sent to the command because it was at risk} */
    boolean isEndangered() {
        return endangered;
    }

    boolean hasCommand() {
        return state != RunState.WAITING && state != RunState.ENDED;
    }

    RunAction granted() {
        return state == RunState.WAITING ? go(RunState.RUNNING, RunAction.START) : RunAction.NOTHING;
    }

    /** The lock stayed busy, or the call for it failed, or the command could not be started. */
    RunAction notStarted() {
        return go(RunState.ENDED, RunAction.NOTHING);
    }

    RunAction signalled() {
        return switch (state) {
            case WAITING -> go(RunState.ENDED, RunAction.GIVE_UP);
            case RUNNING -> go(RunState.STOPPING, RunAction.FORWARD);
            case STOPPING, AT_RISK -> go(RunState.KILLED, RunAction.KILL);
            case KILLED, ENDED -> RunAction.NOTHING;
        };
    }

    RunAction atRisk() {
        return switch (state) {
            case RUNNING, STOPPING -> {
                endangered = true;
                yield go(RunState.AT_RISK, RunAction.TERMINATE);
            }
            case WAITING, AT_RISK, KILLED, ENDED -> RunAction.NOTHING;
        };
    }

    RunAction lost() {
        return switch (state) {
            case RUNNING, STOPPING, AT_RISK -> {
                endangered = true;
                yield go(RunState.KILLED, RunAction.KILL);
            }
            case WAITING, KILLED, ENDED -> RunAction.NOTHING;
        };
    }

    /** Time has passed. */
    RunAction left(Duration remaining) {
        if (terms.isKillDue(remaining)) {
            return lost();
        }
        return terms.isEndDue(remaining) ? atRisk() : RunAction.NOTHING;
    }

    /** {@return how long nothing is due as far as the lease is concerned} */
    Duration untilDue(Duration remaining) {
        return state == RunState.AT_RISK ? terms.untilKill(remaining) : terms.untilEnd(remaining);
    }

    /** @param held whether the lock was held until then */
    RunAction commandEnded(boolean held) {
        endangered |= !held;
        return go(RunState.ENDED, RunAction.NOTHING);
    }

    private RunAction go(RunState next, RunAction action) {
        state = next;
        return action;
    }
}
