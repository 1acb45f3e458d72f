package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Exchanger;
import java.util.concurrent.locks.LockSupport;

/**
 * Two clients that pass one lock to each other. The holder pauses while the other thread begins to acquire the lock,
 * and releases it after the first pause at whose end that thread waits. So the waiter has had time to try and to
 * subscribe. Then the roles are exchanged.
 */
public record PingPong(LockSystem system, Duration settle) implements Task {
    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private final Duration settle;
        private final LockClient one;
        private final LockClient other;
        private final Contenders contenders = new Contenders(1);
        private final Referee referee = Referee.local();
        private final Exchanger<Thread> meeting = new Exchanger<>();
        private final List<Thread> players;
        /** The time when the holder was about to release the lock, 0 for the last release; read by the next holder. */
        private volatile long released;

        Running(PingPong task, Arena arena) {
            settle = task.settle;
            one = arena.connect(task.system);
            other = arena.connect(task.system);
            players = List.of(
                    new Thread(() -> play(one.lock("hot"), 1, true), "first"),
                    new Thread(() -> play(other.lock("hot"), 2, false), "second"));
        }

        @Override
        public void start() {
            players.forEach(player -> {
                player.setDaemon(true);
                player.start();
            });
        }

        private void play(BlockingLock lock, long contender, boolean holdsFirst) {
            try {
                boolean holds = holdsFirst;
                if (holds) {
                    lock.lock();
                    referee.enter(contender);
                }
                while (true) {
                    Thread partner = meeting.exchange(Thread.currentThread());
                    if (holds) {
                        awaitWaiting(partner);
                        boolean last = contenders.isStopped();
                        referee.leave(contender);
                        released = last ? 0 : System.nanoTime();
                        lock.unlock();
                        if (last) {
                            return;
                        }
                    } else {
                        lock.lock();
                        long acquired = System.nanoTime();
                        referee.enter(contender);
                        if (released == 0) {
                            referee.leave(contender);
                            lock.unlock();
                            return;
                        }
                        contenders.get(0).acquiredAfter(acquired - released);
                    }
                    holds = !holds;
                }
            } catch (RuntimeException | InterruptedException e) {
                contenders.failed(e);
                players.forEach(Thread::interrupt);
            }
        }

        private void awaitWaiting(Thread partner) {
            do {
                LockSupport.parkNanos(settle.toNanos());
            } while (partner.getState() != Thread.State.WAITING && partner.getState() != Thread.State.TIMED_WAITING);
        }

        @Override
        public void open() {
            contenders.open();
        }

        @Override
        public void shut() {
            contenders.shut();
            contenders.countTimers(List.of(one, other));
        }

        @Override
        public Tally stop() throws InterruptedException {
            contenders.stop();
            for (Thread player : players) {
                player.join(Duration.ofSeconds(20).toMillis());
            }
            return contenders.tally(List.of(referee));
        }

        @Override
        public void close() {
            one.close();
            other.close();
        }
    }
}
