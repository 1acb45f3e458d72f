package dev.holdfast.benchmarks.parts;

import dev.holdfast.watchdog.Deadline;
import dev.holdfast.watchdog.Deadlines;
import io.netty.util.HashedWheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cost of scheduling and cancelling a deadline, compared with a timeout of the timer itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DeadlinesBenchmark {
    private static final long LATER_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** The number of deadlines that are scheduled already. */
    @Param({"0", "10000"})
    public int scheduled;

    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final Deadline deadline = new NeverDue();
    private final List<Deadline> others = new ArrayList<>();

    /** Schedules the other deadlines. */
    @Setup
    public void fill() {
        for (int i = 0; i < scheduled; i++) {
            Deadline other = new NeverDue();
            others.add(other);
            deadlines.schedule(other, deadlines.nanoTime() + LATER_NANOS - i * 1_000_000L);
        }
    }

    /** Ends all threads. */
    @TearDown
    public void stop() {
        deadlines.close();
        timer.stop();
    }

    /** Schedules and cancels a deadline. */
    @Benchmark
    public boolean scheduleAndCancel() {
        deadlines.schedule(deadline, deadlines.nanoTime() + LATER_NANOS);
        return deadlines.cancel(deadline);
    }

    /** The same with a timeout of the timer, for comparison. */
    @Benchmark
    public boolean timeoutOfTheTimer() {
        return timer.newTimeout(timeout -> {}, LATER_NANOS, TimeUnit.NANOSECONDS)
                .cancel();
    }

    private static final class NeverDue extends Deadline {
        @Override
        protected void expired() {
            throw new IllegalStateException("this deadline is later than any benchmark");
        }
    }
}
