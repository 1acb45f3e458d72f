package dev.holdfast.campaign.run;

import dev.holdfast.campaign.check.Violation;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Op;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The events of a history around a violation: those of its lock or process, and those that concern no operation;
 * without the validity checks.
 */
final class Excerpt {
    private static final long BEFORE_NANOS = Duration.ofMillis(400).toNanos();
    private static final long AFTER_NANOS = Duration.ofMillis(50).toNanos();

    private final History history;
    private final Map<Op, Event.Called> calls;

    Excerpt(History history) {
        this.history = history;
        this.calls = history.all(Event.Called.class).collect(Collectors.toMap(Event.Called::op, Function.identity()));
    }

    /** {@return the events, one line each, with their times in milliseconds relative to the violation} */
    List<String> around(Violation violation) {
        return history.events().stream()
                .filter(event -> event.at() >= violation.at() - BEFORE_NANOS)
                .filter(event -> event.at() <= violation.at() + AFTER_NANOS)
                .filter(event -> !(event instanceof Event.Believed) && concerns(event, violation.subject()))
                .map(event -> String.format("%+9.3f  %s", (event.at() - violation.at()) / 1e6, event))
                .toList();
    }

    /** The subject of a violation is a lock or a process; all its events are included. */
    private boolean concerns(Event event, String subject) {
        Op op = op(event);
        Event.Called call = op == null ? null : calls.get(op);
        return call == null
                || call.lock().equals(subject)
                || call.op().process().equals(subject);
    }

    private static @Nullable Op op(Event event) {
        if (event instanceof Event.Called called) {
            return called.op();
        } else if (event instanceof Event.Returned returned) {
            return returned.op();
        } else if (event instanceof Event.LeaseShown shown) {
            return shown.op();
        } else if (event instanceof Event.Confirmed confirmed) {
            return confirmed.op();
        } else if (event instanceof Event.AtRisk atRisk) {
            return atRisk.op();
        } else if (event instanceof Event.Announced announced) {
            return announced.op();
        } else if (event instanceof Event.SeenLost seenLost) {
            return seenLost.op();
        } else if (event instanceof Event.Wrote wrote) {
            return wrote.op();
        }
        return null;
    }
}
