package dev.holdfast;

import dev.holdfast.redis.Call;
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

/** What the registry of lanes costs a call, and what a lock costs that is got anew for each call. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LanesBenchmark {
    /** How many lanes there are already. */
    @Param({"0", "10000"})
    public int lanes;

    private final BenchmarkEngine client = new BenchmarkEngine();
    private final LockKey lock = client.key("orders:4711");

    /** Makes the others, each of which waits for an answer. */
    @Setup
    public void fill() {
        for (int i = 0; i < lanes; i++) {
            client.engine().lanes().submit(client.key("orders:" + i), -1, Unanswered::new);
        }
    }

    /** Leaves no thread behind. */
    @TearDown
    public void close() {
        client.close();
    }

    /** A lane is made for one step, runs it, and is gone. */
    @Benchmark
    public void oneStep() {
        client.engine().lanes().submit(lock, 42, Answered::new);
    }

    /** Looks for a hold that is not there. */
    @Benchmark
    public @Nullable Hold held() {
        return client.engine().lanes().held(lock, 42);
    }

    /** A name becomes a key. */
    @Benchmark
    public LockKey newKey() {
        return client.key("orders:4711");
    }

    /** Sends nothing. */
    private abstract static class Unsent extends LaneCommand {
        Unsent(OwnerLane lane) {
            super(lane);
        }

        @Override
        void giveUp(Throwable cause) {
            done();
        }

        @Override
        public void completed(Call call) {
            throw new IllegalStateException("nothing was sent");
        }
    }

    private static final class Answered extends Unsent {
        Answered(OwnerLane lane) {
            super(lane);
        }

        @Override
        void run() {
            done();
        }
    }

    private static final class Unanswered extends Unsent {
        Unanswered(OwnerLane lane) {
            super(lane);
        }

        @Override
        void run() {
            // Its answer never comes.
        }
    }
}
