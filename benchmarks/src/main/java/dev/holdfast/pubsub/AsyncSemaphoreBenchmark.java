package dev.holdfast.pubsub;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cost of waiting for a message and of being woken by it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AsyncSemaphoreBenchmark {
    /** The number of waiters in line already. */
    @Param({"0", "1"})
    public int waiting;

    private AsyncSemaphore semaphore = new AsyncSemaphore();
    private List<Waiter> others = List.of();

    /** Adds the other waiters. */
    @Setup
    public void fill() {
        semaphore = new AsyncSemaphore();
        others = Stream.generate(semaphore::acquire).limit(waiting).toList();
    }

    /** Checks that the line is as long as at the start. */
    @TearDown
    public void check() {
        if (semaphore.waiting() != others.size()) {
            throw new IllegalStateException(semaphore.waiting() + " waiters are in line, expected " + others.size());
        }
    }

    /** One waiter joins the line, and one is woken: the line is as long as before. */
    @Benchmark
    public Waiter acquireAndRelease() {
        Waiter waiter = semaphore.acquire();
        semaphore.release();
        return waiter;
    }

    /** One waiter joins the line and leaves it. */
    @Benchmark
    public Waiter acquireAndLeave() {
        Waiter waiter = semaphore.acquire();
        semaphore.leave(waiter);
        return waiter;
    }
}
