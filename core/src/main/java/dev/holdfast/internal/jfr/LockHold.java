package dev.holdfast.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** See {@link FlightEvents#lockHold}. It is committed by the thread that reads the reply to the release, so it has no stack. */
@Name("dev.holdfast.LockHold")
@Label("Lock Hold")
@Category("Holdfast")
@Description("A distributed lock was held")
@Threshold("1 s")
@StackTrace(false)
final class LockHold extends Event implements FlightEvents.Span {
    private static final LockHold INSTANCE = new LockHold();

    @Label("Lock")
    String lock = "";

    @Label("Client")
    String client = "";

    @Label("Owner")
    long owner;

    @Label("Outcome")
    String outcome = "";

    /** {@return whether a recording has enabled the event} */
    static boolean isRecorded() {
        return INSTANCE.isEnabled();
    }

    static FlightEvents.Span begun(String lock, String client, long owner) {
        LockHold event = new LockHold();
        event.lock = lock;
        event.client = client;
        event.owner = owner;
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
