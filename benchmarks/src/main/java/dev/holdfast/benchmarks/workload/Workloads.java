package dev.holdfast.benchmarks.workload;

import java.time.Duration;
import java.util.List;

/** All workloads, in the order of a report. */
public final class Workloads {
    private static final List<Workload> ALL = List.of(
            new Cold(false),
            new Cold(true),
            new Uncontended(1),
            new Uncontended(32),
            new InFlight(256),
            new HotLock(1, 2),
            new HotLock(1, 8),
            new HotLock(1, 64),
            new HotLock(4, 8),
            new FairQueue(4, 8, Duration.ofMillis(1)),
            new Crowd(2, Duration.ZERO),
            new Crowd(8, Duration.ZERO),
            new Crowd(32, Duration.ZERO),
            new Crowd(128, Duration.ZERO),
            new Crowd(2, Duration.ofMillis(1)),
            new Crowd(8, Duration.ofMillis(1)),
            new Crowd(32, Duration.ofMillis(1)),
            new Crowd(128, Duration.ofMillis(1)),
            new Crowd(2, Duration.ofMillis(3)),
            new Crowd(8, Duration.ofMillis(3)),
            new Crowd(32, Duration.ofMillis(3)),
            new Crowd(128, Duration.ofMillis(3)),
            new Handover(),
            new SlowLink(64, Duration.ofMillis(1)),
            new Guest(3, 6, Duration.ZERO),
            new Guest(3, 6, Duration.ofMillis(1)),
            new Guest(8, 1, Duration.ZERO),
            new Guest(8, 1, Duration.ofMillis(1)),
            new Guest(8, 1, Duration.ofMillis(3)),
            new ManyWaiters(),
            new ManyHolds(),
            new ShortLocks(8, Duration.ofMillis(1)),
            ReadWrite.mixed(4, 8, 90),
            ReadWrite.mixed(4, 8, 50),
            ReadWrite.oneWriter(),
            ReadWrite.oneReader(),
            ReadWrite.manyReaders(),
            new BesideReaders(1),
            new BesideReaders(1_000),
            ReadWrite.uncontended(true),
            ReadWrite.uncontended(false),
            new Opening(64),
            new ConditionPingPong(),
            new ConditionWaits(),
            Limited.of(1, 8),
            Limited.of(8, 1),
            Limited.of(8, 4),
            Limited.of(64, 1),
            Limited.large(),
            Limited.beside(1_000, 250),
            Limited.renewed(500),
            new OnCluster(new Uncontended(1)),
            new OnCluster(new Uncontended(32)),
            new OnCluster(new HotLock(1, 64)),
            new Failover(Failover.Of.CLUSTER, Failover.Cause.KILL),
            new Failover(Failover.Of.CLUSTER, Failover.Cause.REQUEST),
            new Failover(Failover.Of.CLUSTER, Failover.Cause.TAKEOVER),
            new Failover(Failover.Of.SENTINEL, Failover.Cause.KILL),
            new Failover(Failover.Of.SENTINEL, Failover.Cause.REQUEST),
            new FailoverBeside(),
            new ReplicatedBeside(1),
            new ReplicatedBeside(8),
            new ReplicatedBeside(64),
            new ReplicasPaused(),
            new Together(1, Duration.ZERO),
            new Together(3, Duration.ZERO),
            new Together(3, Duration.ofMillis(5)),
            new AnyOrder(4, 1),
            new AnyOrder(8, 4));

    private Workloads() {}

    /** {@return all workloads} */
    public static List<Workload> all() {
        return ALL;
    }
}
