package dev.holdfast;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LaneCommand;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.LockKey;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The cost of the registry of lanes for a call, and of a new lock key for each call. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LocalLocksBenchmark {
    /** The number of lanes that exist already. */
    @Param({"0", "10000"})
    public int lanes;

    private final BenchmarkParts client = new BenchmarkParts();
    private final LockKey lock = client.key("orders:4711");

    /** Creates the other lanes, each of which has a command that waits for its reply. */
    @Setup
    public void fill() {
        for (int i = 0; i < lanes; i++) {
            client.locks().submit(client.key("orders:" + i), -1, Unanswered::new);
        }
    }

    /** Ends all threads. */
    @TearDown
    public void close() {
        client.close();
    }

    /** A lane is created for one command, runs it, and is retired. */
    @Benchmark
    public void oneStep() {
        client.locks().submit(lock, 42, Answered::new);
    }

    /** Looks up a hold that does not exist. */
    @Benchmark
    public @Nullable Hold held() {
        return client.locks().held(lock, 42);
    }

    /** Creates the key of a name. */
    @Benchmark
    public LockKey newKey() {
        return client.key("orders:4711");
    }

    /** A command that sends nothing. */
    private abstract static class Unsent extends LaneCommand {
        Unsent(OwnerLane lane) {
            super(lane);
        }
    }

    private static final class Answered extends Unsent {
        Answered(OwnerLane lane) {
            super(lane);
        }

        @Override
        protected void run() {
            done();
        }
    }

    private static final class Unanswered extends Unsent {
        Unanswered(OwnerLane lane) {
            super(lane);
        }

        @Override
        protected void run() {
            // Its reply never arrives.
        }
    }
}
