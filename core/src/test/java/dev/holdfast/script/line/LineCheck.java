package dev.holdfast.script.line;

import dev.holdfast.script.line.LineRun.Step;
import dev.holdfast.script.line.LineState.Hold;
import java.util.ArrayList;
import java.util.List;

/** Compares what the model predicts with what Redis did. */
final class LineCheck {
    private LineCheck() {}

    /** {@return what differs from the prediction} */
    static List<String> faults(Step step) {
        LineEffect predicted = step.predicted();
        LineSeen seen = step.seen();
        List<String> faults = new ArrayList<>();
        LineState expected = predicted.state();
        if (!withoutToken(expected).equals(withoutToken(seen.state()))) {
            faults.add("predicted was " + expected + ", seen " + seen.state());
        }
        long token = seen.state().hold().token();
        long meant = expected.hold().token();
        boolean kept = meant == step.before().hold().token();
        if (kept ? token != step.seenBefore().state().hold().token() : (meant == 0) != (token == 0)) {
            faults.add("the token is " + token + " after "
                    + step.seenBefore().state().hold().token());
        }
        if (!kept && meant != 0 && token <= step.seenBefore().largest()) {
            faults.add("the token is " + token + " after " + step.seenBefore().largest());
        }
        if (!isTrue(predicted, seen)) {
            faults.add("the reply was predicted as " + predicted.reply() + ", seen " + seen.reply());
        }
        if (!predicted.messages().equals(seen.messages())) {
            faults.add("the messages were predicted as " + predicted.messages() + ", seen " + seen.messages());
        }
        return faults;
    }

    private static LineState withoutToken(LineState state) {
        Hold hold = state.hold();
        return state.heldBy(new Hold(hold.owner(), hold.tenure(), hold.holds(), hold.hours(), hold.labelled(), 0));
    }

    /** The place that a reply tells may be behind the true one if clients have left, but not behind the last. */
    private static boolean isTrue(LineEffect predicted, LineSeen seen) {
        List<Long> reply = predicted.reply();
        List<Long> other = seen.reply();
        boolean isPlace = reply.size() == 3 && reply.get(0) < 0;
        if (!isPlace || other.size() != 3) {
            return reply.equals(other);
        }
        return reply.get(0).equals(other.get(0))
                && reply.get(2).equals(other.get(2))
                && other.get(1) >= reply.get(1)
                && other.get(1) < predicted.state().line().size();
    }
}
