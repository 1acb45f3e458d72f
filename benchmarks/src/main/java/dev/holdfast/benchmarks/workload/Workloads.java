package dev.holdfast.benchmarks.workload;

import java.time.Duration;
import java.util.List;

/** All workloads, in the order of a report. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new Cold(false),
            new Cold(true),
            new Crowd(32, Duration.ZERO, Crowd.Start.COLD),
            new Crowd(32, Duration.ZERO, Crowd.Start.AFTER_A_MINUTE),
            new Uncontended(1),
            new Uncontended(32),
            new InFlight(256),
            HotLock.sections(1, Duration.ZERO),
            HotLock.sections(1, Duration.ofNanos(200_000)),
            HotLock.sections(1, Duration.ofMillis(1)),
            HotLock.sections(1, Duration.ofMillis(5)),
            HotLock.sections(4, Duration.ZERO),
            HotLock.sections(4, Duration.ofNanos(200_000)),
            HotLock.sections(4, Duration.ofMillis(1)),
            HotLock.sections(4, Duration.ofMillis(5)),
            HotLock.empty(1, 64),
            HotLock.empty(4, 8),
            new SlowLink(64, Duration.ofMillis(1)),
            new Handover(),
            new Crowd(32, Duration.ZERO),
            new Crowd(128, Duration.ZERO),
            new Crowd(32, Duration.ofMillis(1)),
            new Guest(),
            new FairQueue(4, 8, Duration.ofMillis(1)),
            ReadWrite.mixed(4, 8, 90),
            ReadWrite.mixed(4, 8, 50),
            ReadWrite.oneWriter(),
            ReadWrite.oneReader(),
            ReadWrite.manyReaders(),
            new BesideReaders(1_000),
            ReadWrite.uncontended(true),
            Limited.of(1, 8),
            Limited.of(8, 4),
            Limited.of(64, 1),
            Limited.large(),
            Limited.beside(1_000, 250),
            Limited.segments(20),
            new Opening(64),
            new ConditionPingPong(),
            new ConditionWaits(),
            new Together(3, 1, Duration.ZERO),
            new Together(3, 3, Duration.ofMillis(5)),
            new Together(1_000, 1, Duration.ZERO),
            new AnyOrder(4, 1),
            new OnCluster(new Uncontended(1)),
            new OnCluster(HotLock.empty(1, 64)),
            new Failover(Failover.Of.CLUSTER, Failover.Cause.KILL),
            new Failover(Failover.Of.CLUSTER, Failover.Cause.REQUEST),
            new Failover(Failover.Of.SENTINEL, Failover.Cause.KILL),
            new FailoverBeside(),
            new ReplicatedBeside(8),
            new ReplicasPaused(),
            new HeapTable(),
            new ManyWaiters(),
            new ManyHolds(),
            new ShortLocks(8, Duration.ofMillis(1)));

    private Workloads() {}

    /** {@return all workloads} */
    public static List<Workload> all() {
        return ALL;
    }
}
