package dev.holdfast;

import dev.holdfast.internal.acquire.Acquisition;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.wait.LockWaiter;
import dev.holdfast.internal.wait.QueuedWaiters;
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

/**
 * The cost of waiting in the queue of a lock: to create an acquisition, to add it, and to find and remove the first one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueuedWaitersBenchmark {
    private static final int OWNERS = 2_048;

    /** The number of acquisitions that are in the queue already. */
    @Param({"1", "64", "1000"})
    public int waiting;

    private final BenchmarkParts client = new BenchmarkParts();
    private final LockKey lock = client.key("orders:4711");
    private final QueuedWaiters waiters = new QueuedWaiters();
    /** The acquisitions that are not in the queue at the moment. */
    private final Deque<LockWaiter> outside = new ArrayDeque<>();

    /** Creates all acquisitions, and adds some of them to the queue. */
    @Setup
    public void fill() {
        for (int i = 1; i <= OWNERS; i++) {
            outside.add(client.wanted(lock, -i));
        }
        for (int i = 0; i < waiting; i++) {
            waiters.add(outside.remove());
        }
    }

    /** Ends all threads. */
    @TearDown
    public void close() {
        client.close();
    }

    /** One acquisition joins at the end, and the first one leaves. */
    @Benchmark
    public boolean joinAndLeave() {
        waiters.add(outside.remove());
        LockWaiter first = waiters.firsts().next();
        outside.add(first);
        return waiters.remove(first);
    }

    /** Creates the acquisition of a call. */
    @Benchmark
    public Acquisition newAcquisition() {
        return client.wanted(lock, -1);
    }
}
