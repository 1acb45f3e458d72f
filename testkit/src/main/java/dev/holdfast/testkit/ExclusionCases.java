package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One holder at a time, and the writes of each holder are visible to the next. */
interface ExclusionCases extends ContractCases {
    /** Threads of one client exclude each other. */
    @Test
    default void lock_threadsOfOneClient() {
        new Contention(stage(), 200).threads(4, first(), Lock::lock).verify();
    }

    /** Threads of several clients exclude each other. */
    @Test
    default void lock_threadsOfTwoClients() {
        new Contention(stage(), 200)
                .threads(4, first(), Lock::lock)
                .threads(4, second(), Lock::lock)
                .verify();
    }

    /** Exclusion holds for every way of acquiring the lock. */
    @Test
    default void lock_everyWayIn() {
        Contention contention = new Contention(stage(), 50);
        for (LockClient client : List.of(first(), second())) {
            contention
                    .threads(1, client, Lock::lock)
                    .threads(1, client, Lock::lockInterruptibly)
                    .threads(1, client, lock -> assertThat(lock.tryLock(1, TimeUnit.MINUTES))
                            .isTrue())
                    .threads(1, client, lock -> {
                        while (!lock.tryLock()) {
                            Thread.onSpinWait();
                        }
                    });
        }
        contention.verify();
    }

    /** A plain field written by one holder is visible to the next, in the same client and in another. */
    @Test
    default void lock_memoryVisibility() {
        List<Actor> actors = List.of(here(), here(), there(), there());
        Baton baton = new Baton(actors.size(), 25);
        List<CompletableFuture<Boolean>> runs = IntStream.range(0, actors.size())
                .mapToObj(i ->
                        actors.get(i).begins(() -> baton.run(i, actors.get(i).lock())))
                .toList();
        runs.forEach(run -> assertThat(stage().outcomeOf(run)).isTrue());
    }

    /** A turn that passes from thread to thread in a ring, in plain fields that only the lock protects. */
    final class Baton {
        private final int runners;
        private final int laps;
        private int turn;
        private int steps;

        Baton(int runners, int laps) {
            this.runners = runners;
            this.laps = laps;
        }

        /**
         * Runs the laps of one runner, and returns whether each lap found the value that the previous runner had
         * written.
         */
        boolean run(int runner, Lock lock) {
            for (int lap = 0; lap < laps; ) {
                lock.lock();
                try {
                    if (turn == runner) {
                        if (steps != lap * runners + runner) {
                            return false;
                        }
                        steps++;
                        turn = (runner + 1) % runners;
                        lap++;
                    }
                } finally {
                    lock.unlock();
                }
                Thread.onSpinWait();
            }
            return true;
        }
    }

    /** Locks of different names are independent, however many are held at once. */
    @Test
    default void lock_manyNames() {
        List<String> names = Stream.generate(Stage::newName).limit(300).toList();
        Actor holder = here();
        Actor other = there();
        for (String name : names) {
            Lock lock = first().lock(name);
            holder.does(lock::lock);
        }
        for (String name : names) {
            Lock lock = second().lock(name);
            assertThat(other.does(() -> lock.tryLock())).isFalse();
        }
        for (String name : names) {
            Lock lock = first().lock(name);
            holder.does(lock::unlock);
        }
        for (String name : names) {
            Lock lock = second().lock(name);
            assertThat(other.does(() -> lock.tryLock())).isTrue();
            other.does(lock::unlock);
        }
    }
}
