package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockClient;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The state that all contenders of a contest share: the window, the signal to stop, and the first failure. */
final class Contenders {
    private final Window window = new Window();
    private final WaitHistogram waits = new WaitHistogram();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong failedCalls = new AtomicLong();
    private final List<Contender> contenders;
    private volatile boolean stopped;
    private long timers;

    Contenders(int count) {
        contenders =
                IntStream.range(0, count).mapToObj(i -> new Contender(window)).toList();
    }

    Contender get(int index) {
        return contenders.get(index);
    }

    int count() {
        return contenders.size();
    }

    void open() {
        window.open();
    }

    void shut() {
        window.shut();
        contenders.forEach(contender -> contender.shut(waits));
    }

    /** Counts timers, while all contenders still run; that takes long, and must happen after the window. */
    void countTimers(List<LockClient> clients) {
        timers = LiveObjects.timers(clients);
    }

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** A contender has failed, so the counts are no longer those of the workload: all contenders stop. */
    void failed(Throwable why) {
        failure.compareAndSet(null, why);
        stopped = true;
    }

    /** A call has failed, and its contender continues: the calls that fail are part of the workload. */
    void failedCall() {
        failedCalls.incrementAndGet();
    }

    /**
     * {@return the counts of all contenders}
     *
     * @throws IllegalStateException if a contender failed
     */
    Tally tally(List<Referee> referees) {
        Throwable why = failure.get();
        if (why != null) {
            throw new IllegalStateException("a contender failed: " + why, why);
        }
        contenders.forEach(contender -> contender.addTo(waits));
        return new Tally(
                contenders.stream().map(Contender::acquisitions).toList(),
                contenders.stream().mapToLong(Contender::ever).sum(),
                waits,
                window.opened(),
                window.nanos(),
                window.cpu(),
                referees.stream().mapToLong(Referee::violations).sum(),
                Marks.of(timers, failedCalls.get()));
    }
}
