package dev.holdfast.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** See {@link FlightEvents#conditionAwait}. The threshold is that of {@link LockWait}. */
@Name("dev.holdfast.ConditionAwait")
@Label("Condition Await")
@Category("Holdfast")
@Description("A thread waited for a condition of a distributed lock, which it did not hold meanwhile")
@Threshold("20 ms")
final class ConditionAwait extends Event implements FlightEvents.Span {
    private static final ConditionAwait INSTANCE = new ConditionAwait();

    @Label("Lock")
    String lock = "";

    @Label("Condition")
    String condition = "";

    @Label("Client")
    String client = "";

    @Label("Outcome")
    String outcome = "";

    /** {@return whether a recording has enabled the event} */
    static boolean isRecorded() {
        return INSTANCE.isEnabled();
    }

    static FlightEvents.Span begun(String lock, String condition, String client) {
        ConditionAwait event = new ConditionAwait();
        event.lock = lock;
        event.condition = condition;
        event.client = client;
        event.begin();
        return event;
    }

    @Override
    public void end(String with) {
        end();
        if (shouldCommit()) {
            outcome = with;
            commit();
        }
    }
}
