package dev.holdfast.benchmarks.parts;

import dev.holdfast.watchdog.Deadlines;
import dev.holdfast.watchdog.LeaseKeeper;
import dev.holdfast.watchdog.LeaseStore;
import dev.holdfast.watchdog.LeaseSubject;
import dev.holdfast.watchdog.LeaseTerms;
import dev.holdfast.watchdog.LossCause;
import dev.holdfast.watchdog.RenewalOutcome;
import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

/** The cost of the watchdog for a hold that ends before any renewal, and of a renewal of many holds. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LeaseKeeperBenchmark {
    private static final Duration LEASE = Duration.ofMinutes(30);

    /** The number of leases that are kept already. */
    @Param({"0", "10000"})
    public int kept;

    private final HashedWheelTimer timer = Deadlines.newTimer();
    private final Deadlines deadlines = new Deadlines(timer, System::nanoTime, Deadlines.DEFAULT_TICK);
    private final LeaseKeeper<Subject> keeper =
            new LeaseKeeper<>(deadlines, System::currentTimeMillis, LeaseTerms.of(LEASE), new AlwaysReplying());
    private final Subject subject = new Subject();

    /** Keeps the other leases. */
    @Setup
    public void fill() {
        for (int i = 0; i < kept; i++) {
            keeper.keep(subject, deadlines.nanoTime(), LEASE.toNanos(), true);
        }
    }

    /** Ends all threads. */
    @TearDown
    public void stop() {
        keeper.close();
        deadlines.close();
        timer.stop();
    }

    /** A lease that begins and ends. */
    @Benchmark
    public boolean keepAndEnd() {
        return keeper.keep(subject, deadlines.nanoTime(), LEASE.toNanos(), true).end();
    }

    /** Renews all leases once; the time is to be divided by their number. */
    @Benchmark
    public void renewAll() {
        keeper.verifyAll();
    }

    private static final class Subject implements LeaseSubject {
        @Override
        public void renewed() {
            // There is no owner to notify.
        }

        @Override
        public void atRisk(long remainingNanos) {
            throw new IllegalStateException("the store always replies");
        }

        @Override
        public void lost(LossCause loss) {
            throw new IllegalStateException("the store loses no lease");
        }

        @Override
        public boolean isAbandoned() {
            return false;
        }

        @Override
        public void abandoned(long remainingNanos) {
            throw new IllegalStateException("no lease is abandoned");
        }
    }

    private static final class AlwaysReplying implements LeaseStore<Subject> {
        @Override
        public CompletionStage<List<RenewalOutcome>> renew(List<Subject> batch) {
            return CompletableFuture.completedFuture(Collections.nCopies(batch.size(), RenewalOutcome.RENEWED));
        }

        @Override
        public CompletionStage<List<RenewalOutcome>> verify(List<Subject> batch) {
            return renew(batch);
        }
    }
}
