package dev.holdfast.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** See {@link FlightEvents#latchAwait}. The threshold is that of {@link LockWait}. */
@Name("dev.holdfast.LatchAwait")
@Label("Latch Await")
@Category("Holdfast")
@Description("A thread waited until a distributed count-down latch was open")
@Threshold("20 ms")
final class LatchAwait extends Event implements FlightEvents.Span {
    private static final LatchAwait INSTANCE = new LatchAwait();

    @Label("Latch")
    String latch = "";

    @Label("Client")
    String client = "";

    @Label("Outcome")
    String outcome = "";

    /** {@return whether a recording has enabled the event} */
    static boolean isRecorded() {
        return INSTANCE.isEnabled();
    }

    static FlightEvents.Span begun(String latch, String client) {
        LatchAwait event = new LatchAwait();
        event.latch = latch;
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
