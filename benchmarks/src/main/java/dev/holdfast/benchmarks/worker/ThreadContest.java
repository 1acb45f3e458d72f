package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Contenders that are threads. Each repeats one step, from the start of the contest until it is stopped. */
abstract class ThreadContest implements Contest {
    private static final long LONGEST_STOP_SECONDS = 20;

    private final Contenders contenders;
    private final List<Thread> threads = new ArrayList<>();

    ThreadContest(int count) {
        contenders = new Contenders(count);
    }

    final Contenders contenders() {
        return contenders;
    }

    /** {@return all clients, whose timers are counted, and which are closed at the end} */
    abstract List<LockClient> clients();

    /** {@return the referees of this worker} */
    abstract List<Referee> referees();

    /** {@return the step of the contender with this index: one acquisition and its release} Prepared by its thread. */
    abstract Runnable step(int index);

    /** A step has thrown this. Unless overridden, the contest has failed. */
    void failed(RuntimeException why) {
        contenders.failed(why);
    }

    /** {@return these marks with what else was counted} */
    Marks marks(Marks marks) {
        return marks;
    }

    /** {@return this tally with those of its sides, if there are any} */
    Tally sides(Tally tally) {
        return tally;
    }

    /** Returns when the steps of all contenders are prepared. */
    @Override
    public final void start() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(contenders.count());
        for (int i = 0; i < contenders.count(); i++) {
            int index = i;
            Thread thread = new Thread(() -> contend(index, running), "contender-" + index);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        running.await();
    }

    private void contend(int index, CountDownLatch running) {
        Runnable step = step(index);
        running.countDown();
        while (!contenders.isStopped()) {
            try {
                step.run();
            } catch (RuntimeException e) {
                failed(e);
            }
        }
    }

    @Override
    public void open() {
        contenders.open();
    }

    @Override
    public final void shut() {
        shutWindow();
        contenders.countTimers(clients());
    }

    /** Stops counting, and nothing else that takes time. */
    void shutWindow() {
        contenders.shut();
    }

    @Override
    public final Tally stop() throws InterruptedException {
        contenders.stop();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_STOP_SECONDS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
        }
        Tally tally = contenders.tally(referees());
        return sides(tally.with(marks(tally.marks())));
    }

    @Override
    public final void close() {
        clients().forEach(LockClient::close);
    }
}
