package dev.holdfast.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** See {@link FlightEvents#lockWait}. The threshold is that of the JDK's own events about monitors and parked threads. */
@Name("dev.holdfast.LockWait")
@Label("Lock Wait")
@Category("Holdfast")
@Description("A thread waited for a distributed lock")
@Threshold("20 ms")
final class LockWait extends Event implements FlightEvents.Span {
    private static final LockWait INSTANCE = new LockWait();

    @Label("Lock")
    String lock = "";

    @Label("Client")
    String client = "";

    @Label("Outcome")
    String outcome = "";

    /** {@return whether a recording has enabled the event} */
    static boolean isRecorded() {
        return INSTANCE.isEnabled();
    }

    static FlightEvents.Span begun(String lock, String client) {
        LockWait event = new LockWait();
        event.lock = lock;
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
