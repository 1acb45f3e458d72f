package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.Turn;
import dev.holdfast.campaign.schedule.Turns;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One who takes turns at the locks, until told that this was the last. */
final class Actor {
    private final Turns turns;
    private final Door door;
    private final Section section;
    private final BooleanSupplier isLast;

    Actor(Turns turns, Door door, Section section, BooleanSupplier isLast) {
        this.turns = turns;
        this.door = door;
        this.section = section;
        this.isLast = isLast;
    }

    void act() {
        while (!isLast.getAsBoolean()) {
            Turn turn = turns.next();
            visit(turn);
            LockSupport.parkNanos(turn.rest().toNanos());
        }
    }

    /** Enters as often as the turn says, or as it can, works at the innermost level, and leaves as often as it entered. */
    private void visit(Turn turn) {
        Deque<Stay> stays = new ArrayDeque<>();
        door.enter(turn).ifPresent(stays::push);
        if (stays.isEmpty()) {
            return;
        }
        try {
            enterAgain(turn, stays);
            Duration half = turn.work().dividedBy(2);
            section.work(stays.element(), half);
            turn.extension().ifPresent(stays.element()::extend);
            section.work(stays.element(), half);
        } finally {
            stays.forEach(Stay::leave);
        }
    }

    private void enterAgain(Turn turn, Deque<Stay> stays) {
        for (int level = 2; level <= turn.levels() && door.isReentrant(); level++) {
            Optional<Stay> again = door.enter(turn.again());
            again.ifPresent(stays::push);
        }
    }
}
