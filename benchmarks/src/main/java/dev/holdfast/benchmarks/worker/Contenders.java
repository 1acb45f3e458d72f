package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.measure.WaitHistogram;
import dev.holdfast.benchmarks.system.LockClient;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a contest's contenders have in common: the window, the signal to stop, and the first failure. */
final class Contenders {
    private final Window window = new Window();
    private final WaitHistogram waits = new WaitHistogram();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
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

    /** Looks for timers too, while all still run: that takes long, and is not within the window. */
    void shut(LockClient... clients) {
        window.shut();
        contenders.forEach(contender -> contender.shut(waits));
        timers = LiveObjects.timers(clients);
    }

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** A contender cannot go on, so what is counted from now on is not what was to be counted. */
    void failed(Throwable why) {
        failure.compareAndSet(null, why);
        stopped = true;
    }

    /**
     * {@return what was counted}
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
                Marks.ofTimers(timers));
    }
}
