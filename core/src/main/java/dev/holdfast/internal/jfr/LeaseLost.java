package dev.holdfast.internal.jfr;

import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** See {@link FlightEvents#leaseLost}. */
@Name("dev.holdfast.LeaseLost")
@Label("Lease Lost")
@Category("Holdfast")
@Description("A distributed lock was lost while it was held")
@StackTrace(false)
final class LeaseLost extends Event {
    @Label("Lock")
    String lock = "";

    @Label("Client")
    String client = "";

    @Label("Owner")
    long owner;

    @Label("Reason")
    String reason = "";

    @Label("Held")
    @Timespan(Timespan.NANOSECONDS)
    long held;

    static void happened(String lock, String client, long owner, String reason, Duration held) {
        LeaseLost event = new LeaseLost();
        if (event.shouldCommit()) {
            event.lock = lock;
            event.client = client;
            event.owner = owner;
            event.reason = reason;
            event.held = held.toNanos();
            event.commit();
        }
    }
}
