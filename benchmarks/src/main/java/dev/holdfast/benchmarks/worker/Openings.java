package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Journal;
import dev.holdfast.benchmarks.system.Latch;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Clients of one thread each that await latches, one after the other, and one more client that opens them. It sets the count of a
 * latch, and counts it down after the first pause at whose end all threads wait. The journal has an entry for each return of await:
 * the latch was requested when the count was about to be counted down.
 *
 * @param system the system whose latches they use
 * @param clients the number of those that wait
 * @param settle the pause
 */
public record Openings(LockSystem system, int clients, Duration settle) implements Task {
    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running implements Contest {
        private static final long LONGEST_STOP_SECONDS = 20;

        private final Openings task;
        private final LockClient opening;
        private final List<LockClient> clients;
        private final Contenders contenders;
        private final Journal journal;
        private final List<Thread> threads = new ArrayList<>();

        /** All meet when the count of a latch is set, and when all have returned. Terminated when they stop. */
        private final Phaser meeting;

        /** Of each client, when it has returned. Read after a meeting. */
        private final long[] back;

        Running(Openings task, Arena arena) {
            this.task = task;
            opening = arena.connect(task.system);
            clients = Stream.generate(() -> arena.connect(task.system))
                    .limit(task.clients)
                    .toList();
            contenders = new Contenders(task.clients);
            journal = arena.journal();
            meeting = new Phaser(task.clients + 1);
            back = new long[task.clients];
        }

        private static String name(long number) {
            return "opening-" + number;
        }

        @Override
        public void start() {
            for (int i = 0; i < task.clients; i++) {
                int index = i;
                threads.add(new Thread(() -> play(() -> await(index)), "awaiting-" + index));
            }
            threads.add(new Thread(() -> play(this::openLatches), "opening"));
            threads.forEach(thread -> {
                thread.setDaemon(true);
                thread.start();
            });
        }

        private void play(Latch.Waiting part) {
            try {
                part.await();
            } catch (RuntimeException | InterruptedException e) {
                contenders.failed(e);
            } finally {
                meeting.forceTermination();
            }
        }

        private void await(int index) throws InterruptedException {
            LockClient client = clients.get(index);
            for (long number = 0; meeting.arriveAndAwaitAdvance() >= 0; number++) {
                client.latch(name(number)).await();
                back[index] = System.nanoTime();
                meeting.arriveAndAwaitAdvance();
            }
        }

        private void openLatches() {
            for (long number = 0; !contenders.isStopped(); number++) {
                Latch latch = opening.latch(name(number));
                latch.set(1);
                meeting.arriveAndAwaitAdvance();
                awaitWaiting();
                long opened = System.nanoTime();
                latch.countDown();
                meeting.arriveAndAwaitAdvance();
                IntStream.range(0, task.clients).forEach(index -> {
                    contenders.get(index).acquiredAfter(back[index] - opened);
                    journal.add(new Journal.Entry(index, opened, back[index], opened));
                });
            }
        }

        private void awaitWaiting() {
            do {
                LockSupport.parkNanos(task.settle.toNanos());
            } while (!threads.subList(0, task.clients).stream().allMatch(Running::waits));
        }

        private static boolean waits(Thread thread) {
            return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
        }

        @Override
        public void open() {
            contenders.open();
        }

        @Override
        public void shut() {
            contenders.shut();
            contenders.countTimers(
                    Stream.concat(Stream.of(opening), clients.stream()).toList());
        }

        @Override
        public Tally stop() throws InterruptedException {
            contenders.stop();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STOP_SECONDS);
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
            return contenders.tally(List.of());
        }

        @Override
        public void close() {
            opening.close();
            clients.forEach(LockClient::close);
        }
    }
}
