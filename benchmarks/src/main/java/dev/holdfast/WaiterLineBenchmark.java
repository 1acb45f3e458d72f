package dev.holdfast;

import java.util.ArrayDeque;
import java.util.Deque;
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

/** What a place in a lock's queue costs: to stand in line, to be the first of it, and to be let in. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WaiterLineBenchmark {
    private static final int OWNERS = 2_048;

    /** How many wait already. */
    @Param({"1", "64", "1000"})
    public int waiting;

    private final BenchmarkEngine client = new BenchmarkEngine();
    private final LockKey lock = client.key("orders:4711");
    private final WaiterLine line = new WaiterLine();
    /** Those who are not in line, and will be. */
    private final Deque<Acquisition> outside = new ArrayDeque<>();

    /** Lets them stand in line. */
    @Setup
    public void fill() {
        for (int i = 1; i <= OWNERS; i++) {
            outside.add(client.wanted(lock, -i));
        }
        for (int i = 0; i < waiting; i++) {
            line.add(outside.remove());
        }
    }

    /** Leaves no thread behind. */
    @TearDown
    public void close() {
        client.close();
    }

    /** One joins at the end, and the first is let in. */
    @Benchmark
    public boolean joinAndLetIn() {
        line.add(outside.remove());
        Acquisition first = line.firsts().next();
        outside.add(first);
        return line.remove(first);
    }

    /** What a call that waits is made of. */
    @Benchmark
    public Acquisition newAcquisition() {
        return client.wanted(lock, -1);
    }
}
