package dev.holdfast.script.line;

import dev.holdfast.script.line.LineCommand.Verb;
import dev.holdfast.script.line.LineState.Hold;
import java.util.EnumSet;
import java.util.Set;

/** What happens to the line in a run of many sequences; each of them must, or the run shows little. */
enum LineOutcome {
    JOINED,
    /** A newer attempt has taken the place of an older one of its client. */
    REPLACED,
    GIVEN_UP,
    GRANTED,
    /** Granted to another than the first, which does not listen. */
    PASSED_OVER,
    LEFT_FREE_FOR_OTHERS,
    LEFT_FREE_FOR_POLLERS,
    /** The line has ended with the lock, and clients were in it. */
    WIPED;

    /** {@return what a command has done to the line} */
    static Set<LineOutcome> of(LineState before, LineCommand command, LineSeen seen) {
        Set<LineOutcome> outcomes = EnumSet.noneOf(LineOutcome.class);
        LineState after = seen.state();
        Hold hold = after.hold();
        int grown = after.line().size() - before.line().size();
        if (command.verb() == Verb.JOIN && grown > 0) {
            outcomes.add(JOINED);
        } else if (command.verb() == Verb.JOIN && grown == 0 && !after.line().equals(before.line())) {
            outcomes.add(REPLACED);
        }
        if (after.isFree() && !before.line().isEmpty()) {
            outcomes.add(WIPED);
        }
        if (command.verb() != Verb.RELEASE) {
            return outcomes;
        }
        if (after.isFree() && seen.messages().size() == 2) {
            outcomes.add(command.channel().others() > 0 ? LEFT_FREE_FOR_OTHERS : LEFT_FREE_FOR_POLLERS);
        } else if (!hold.isNone() && hold.isSameAs(before.hold()) && grown < 0) {
            outcomes.add(GIVEN_UP);
        } else if (!hold.isNone() && !hold.isSameAs(before.hold())) {
            boolean passed = before.line().subList(0, before.placeOf(hold.owner())).stream()
                    .anyMatch(waiter -> !command.channel().isHeardBy(waiter.client()));
            outcomes.add(passed ? PASSED_OVER : GRANTED);
        }
        return outcomes;
    }
}
