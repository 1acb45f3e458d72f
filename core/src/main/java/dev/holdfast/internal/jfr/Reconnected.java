package dev.holdfast.internal.jfr;

import java.time.Duration;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** See {@link FlightEvents#reconnected}. */
@Name("dev.holdfast.Reconnected")
@Label("Reconnected")
@Category("Holdfast")
@Description("A connection to Redis was re-established")
@StackTrace(false)
final class Reconnected extends Event {
    @Label("Connection")
    String connection = "";

    @Label("Client")
    String client = "";

    @Label("Outage")
    @Timespan(Timespan.NANOSECONDS)
    long outage;

    static void happened(String connection, String client, Duration outage) {
        Reconnected event = new Reconnected();
        if (event.shouldCommit()) {
            event.connection = connection;
            event.client = client;
            event.outage = outage.toNanos();
            event.commit();
        }
    }
}
