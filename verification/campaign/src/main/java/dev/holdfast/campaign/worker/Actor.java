package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.ArrivalSchedule;
import dev.holdfast.campaign.schedule.Turn;
import dev.holdfast.campaign.schedule.Turns;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Takes turns at the locks until it is stopped. */
final class Actor {
    private final Turns turns;
    private final ArrivalSchedule arrivals;
    private final Door door;
    private final BiConsumer<Stay, Duration> section;
    private final Function<Optional<Duration>, Alarm> alarms;
    private final BooleanSupplier isLast;

    /**
     * @param section the work done while a lock is held, for a given time
     * @param alarms sets an alarm for the calling thread
     */
    Actor(
            Turns turns,
            ArrivalSchedule arrivals,
            Door door,
            BiConsumer<Stay, Duration> section,
            Function<Optional<Duration>, Alarm> alarms,
            BooleanSupplier isLast) {
        this.turns = turns;
        this.arrivals = arrivals;
        this.door = door;
        this.section = section;
        this.alarms = alarms;
        this.isLast = isLast;
    }

    void act() {
        while (!isLast.getAsBoolean()) {
            Turn turn = arrivals.place(turns.next(), System.nanoTime());
            visit(turn);
            LockSupport.parkNanos(arrivals.rest(turn, System.nanoTime()).toNanos());
        }
    }

    /** Only a wait that ends by the interrupt may clear the interrupt status. */
    private void visit(Turn turn) {
        Deque<Stay> stays = new ArrayDeque<>();
        door.enter(turn).ifPresent(stays::push);
        if (stays.isEmpty()) {
            return;
        }
        Alarm alarm = alarms.apply(door.isBlocking() ? turn.interruption() : Optional.empty());
        try {
            boolean gotIn = stay(turn, stays);
            if (gotIn && alarm.interruptWasCleared()) {
                throw new IllegalStateException("an interrupt must be preserved, but was swallowed in " + turn);
            }
        } finally {
            alarm.turnOff();
        }
    }

    /**
     * Acquires as many levels as the turn requires and as are granted, works at the innermost, and releases as many as
     * were granted. The lock is inspected only if all levels were granted: Redis may briefly count a level whose
     * acquire was abandoned.
     *
     * @return whether all required levels were granted
     */
    private boolean stay(Turn turn, Deque<Stay> stays) {
        try {
            boolean complete = enterAgain(turn, stays);
            if (complete && turn.inspects()) {
                stays.element().inspect();
            }
            Duration half = turn.work().dividedBy(2);
            section.accept(stays.element(), half);
            turn.extension().ifPresent(stays.element()::extend);
            section.accept(stays.element(), half);
            return complete;
        } finally {
            stays.forEach(Stay::leave);
        }
    }

    private boolean enterAgain(Turn turn, Deque<Stay> stays) {
        boolean complete = true;
        for (int level = 2; level <= turn.levels() && door.isReentrant(); level++) {
            Optional<Stay> again = door.enter(turn.again());
            again.ifPresent(stays::push);
            complete &= again.isPresent();
        }
        return complete;
    }
}
