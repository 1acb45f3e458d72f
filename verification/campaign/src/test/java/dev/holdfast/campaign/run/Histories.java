package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.ArrayList;
import java.util.List;

/** Histories for tests, with times in milliseconds. */
final class Histories {
    private static final long MILLI = 1_000_000;

    private final List<Event> events = new ArrayList<>();
    private long lastNumber;

    /** An owner of a client acquires a lock. */
    Histories grant(String process, String owner, String lock, What what, long called, long returned) {
        Op op = new Op(process, ++lastNumber);
        events.add(new Event.Called(called * MILLI, op, what, By.BLOCKING, lock, false, process + ":" + owner, -1, 0));
        events.add(new Event.Returned(returned * MILLI, op, Outcome.GRANTED, 0, 1, Loss.NONE));
        return this;
    }

    Histories with(Event event) {
        events.add(event);
        return this;
    }

    History history() {
        return new History(events);
    }
}
