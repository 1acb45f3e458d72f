package dev.holdfast.internal.jfr;

import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** See {@link FlightEvents#leaseAtRisk}. */
@Name("dev.holdfast.LeaseAtRisk")
@Label("Lease At Risk")
@Category("Holdfast")
@Description("The lease of a distributed lock was not renewed in time, and will be lost unless it is renewed soon")
@StackTrace(false)
final class LeaseAtRisk extends Event {
    @Label("Lock")
    String lock = "";

    @Label("Client")
    String client = "";

    @Label("Owner")
    long owner;

    @Label("Remaining")
    @Timespan(Timespan.NANOSECONDS)
    long remaining;

    static void happened(String lock, String client, long owner, Duration remaining) {
        LeaseAtRisk event = new LeaseAtRisk();
        if (event.shouldCommit()) {
            event.lock = lock;
            event.client = client;
            event.owner = owner;
            event.remaining = remaining.toNanos();
            event.commit();
        }
    }
}
