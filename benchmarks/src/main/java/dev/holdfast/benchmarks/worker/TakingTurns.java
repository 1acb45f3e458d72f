package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Baton;
import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.List;
import java.util.concurrent.locks.Condition;

/**
 * A thread that takes every other turn under a lock; another worker takes the others. Each has a condition: at the end of a turn it
 * signals that of the other, and waits for its own. The journal has an entry for each turn.
 */
public record TakingTurns(LockSystem system) implements Task {
    private static final String NAME = "turns";

    @Override
    public Contest prepare(Arena arena) {
        return new Running(arena, arena.connect(system));
    }

    private static final class Running extends ThreadContest {
        private final int mine;
        private final int others;
        private final long number;
        private final LockClient client;
        private final Referee referee;
        private final Journal journal;
        private final Baton baton;

        Running(Arena arena, LockClient client) {
            super(1);
            this.mine = arena.worker();
            this.others = 1 - mine;
            this.number = arena.contender(0);
            this.client = client;
            this.referee = arena.referee();
            this.journal = arena.journal();
            this.baton = arena.baton();
        }

        @Override
        List<LockClient> clients() {
            return List.of(client);
        }

        @Override
        List<Referee> referees() {
            return List.of(referee);
        }

        /** All turns are one hold, which the waits interrupt. The worker that is stopped in a turn ends those of both. */
        @Override
        Runnable step(int index) {
            BlockingLock lock = client.lock(NAME);
            Condition myTurn = client.condition(NAME, "turn of " + mine);
            Condition othersTurn = client.condition(NAME, "turn of " + others);
            return () -> {
                long requested = contenders().get(index).requested();
                lock.lock();
                try {
                    while (hasTurn(myTurn)) {
                        long entered = contenders().get(index).acquired();
                        if (contenders().isStopped()) {
                            baton.drop();
                        } else {
                            baton.passTo(others);
                        }
                        othersTurn.signal();
                        journal.add(new Journal.Entry(mine, requested, entered, System.nanoTime()));
                        requested = contenders().get(index).requested();
                    }
                } finally {
                    lock.unlock();
                }
            };
        }

        /** {@return true when it is the turn of this worker; false when no turn follows} */
        private boolean hasTurn(Condition myTurn) {
            referee.enter(number);
            try {
                while (!baton.isFor(mine)) {
                    referee.leave(number);
                    myTurn.await();
                    referee.enter(number);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a contender", e);
            }
            referee.leave(number);
            return !baton.isDropped();
        }
    }
}
