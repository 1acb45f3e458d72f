package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Closing;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Event.StoodStill;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The faults of a history that hit clients, with their beginnings and ends. A fault without an end lasts for ever; a
 * lost lock is a fault that lasts for the time of its loss. A process that the machine did not let run counts as one
 * that was stopped.
 */
final class Windows {
    private final List<Window> windows = new ArrayList<>();
    private final List<DataLost> losses;
    private final Map<String, Long> kills = new HashMap<>();
    private final Map<String, Long> closings = new HashMap<>();

    /**
     * The time of one fault.
     *
     * @param fault the fault
     * @param target its target
     */
    record Window(long since, long until, Fault fault, String target) {
        boolean overlaps(long from, long to) {
            return since <= to && from <= until;
        }

        /** {@return whether it affects the client in this process, alone or with all others} */
        boolean hits(String process) {
            return target.equals(process) || target.equals(Inspected.SERVER);
        }
    }

    Windows(History history) {
        Map<Integer, Long> ends = new HashMap<>();
        history.all(FaultEnded.class).forEach(ended -> ends.put(ended.number(), ended.at()));
        Stream<FaultBegan> ofClients =
                history.all(FaultBegan.class).filter(began -> !began.target().equals(FaultBegan.OTHERS));
        ofClients.forEach(began -> {
            long until = ends.getOrDefault(began.number(), Operation.NEVER);
            windows.add(new Window(began.at(), until, began.fault(), began.target()));
            if (began.fault() == Fault.CLIENT_KILLED) {
                kills.merge(began.target(), began.at(), Math::min);
            }
        });
        history.all(StoodStill.class)
                .map(still -> new Window(still.since(), still.at(), Fault.CLIENT_PAUSED, still.process()))
                .filter(still -> windows.stream().noneMatch(window -> isPartOf(window, still)))
                .toList()
                .forEach(windows::add);
        windows.sort(Comparator.comparingLong(Window::since));
        losses = history.all(DataLost.class).toList();
        losses.forEach(loss -> windows.add(new Window(loss.since(), loss.at(), Fault.KEY_DELETED, loss.lock())));
        history.all(Closing.class).forEach(closing -> closings.merge(closing.process(), closing.at(), Math::min));
    }

    /** A process that is stopped on purpose notices that as well. */
    private static boolean isPartOf(Window pause, Window still) {
        return pause.fault() == Fault.CLIENT_PAUSED
                && pause.target().equals(still.target())
                && pause.overlaps(still.since(), still.until());
    }

    List<Window> all() {
        return windows;
    }

    /** {@return the times at which this lock was lost} */
    List<DataLost> losses(String lock) {
        return losses.stream().filter(loss -> loss.concerns(lock)).toList();
    }

    /** {@return whether any fault lasted at any time between the two} */
    boolean broken(long from, long to) {
        return windows.stream().anyMatch(window -> window.overlaps(from, to));
    }

    /**
     * {@return the time by which the client in this process has completed what was pending between two times: the
     * second of them if no fault hit it; otherwise {@code mending} after the last of the faults that followed one
     * another} The kill of the process itself is not counted as a fault.
     */
    long undisturbed(String process, long from, long to, long mending) {
        long time = to;
        for (Window window : windows) {
            boolean late = window.since() <= time && from <= after(window, mending);
            if (late && window.hits(process) && window.fault() != Fault.CLIENT_KILLED) {
                time = Math.max(time, after(window, mending));
            }
        }
        return time;
    }

    private static long after(Window window, long nanos) {
        return window.until() == Operation.NEVER ? Operation.NEVER : window.until() + nanos;
    }

    /** {@return when this process was killed or began to close its clients, {@link Operation#NEVER} if neither} */
    long gone(String process) {
        return Math.min(killed(process), closing(process));
    }

    /** {@return the time by which this process has run for so long since a moment} */
    long afterRunning(String process, long from, long nanos) {
        long time = from + nanos;
        for (Window pause : windows) {
            if (pause.fault() == Fault.CLIENT_PAUSED && pause.target().equals(process) && pause.overlaps(from, time)) {
                if (pause.until() == Operation.NEVER) {
                    return Operation.NEVER;
                }
                time += pause.until() - Math.max(from, pause.since());
            }
        }
        return time;
    }

    /**
     * {@return a renewal with the earliest time at which it can have been sent: a process that was stopped in between
     * has received the report, from which that time is derived, as much later}
     */
    Confirmed counted(Confirmed renewal) {
        long since = renewal.since();
        for (int i = windows.size() - 1; i >= 0; i--) {
            Window pause = windows.get(i);
            if (pause.fault() == Fault.CLIENT_PAUSED
                    && pause.target().equals(renewal.op().process())
                    && pause.overlaps(since, renewal.at())) {
                since -= Math.min(pause.until(), renewal.at()) - pause.since();
            }
        }
        return new Confirmed(since, renewal.at(), renewal.op(), renewal.leaseMillis());
    }

    /** {@return the end of the last fault, 0 if there was none, {@link Operation#NEVER} if one has no end} */
    long lastEnd() {
        return windows.stream().mapToLong(Window::until).max().orElse(0);
    }

    /** {@return when this process was killed, {@link Operation#NEVER} if it was not} */
    long killed(String process) {
        return kills.getOrDefault(process, Operation.NEVER);
    }

    /** {@return when this process began to close its clients, {@link Operation#NEVER} if it did not} */
    long closing(String process) {
        return closings.getOrDefault(process, Operation.NEVER);
    }
}
