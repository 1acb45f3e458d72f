package dev.holdfast.cli.check;

import java.util.List;
import java.util.stream.Collectors;

/** Whether another server can take over, and with which locks. */
final class ReplicaChecks {
    /** A replica confirms what it has once a second. */
    private static final long MOST_LAG = 2;

    private static final String ONE_REPLICA =
            "CONFIG SET min-replicas-to-write 1 and CONFIG SET min-replicas-max-lag " + MOST_LAG;

    private ReplicaChecks() {}

    /** @param master one server, or a master */
    static Finding replicas(Node master, Shape shape) {
        return master.info()
                .fold(
                        info -> replicas(Replica.in(info), shape),
                        reason -> Finding.unknown(Check.REPLICAS, "replicas", reason));
    }

    private static Finding replicas(List<Replica> replicas, Shape shape) {
        if (replicas.isEmpty()) {
            return switch (shape) {
                case ONE_SERVER -> Finding.ok(Check.REPLICAS, "none, and none is needed: locks wait for the server");
                case SENTINEL ->
                    Finding.error(
                            Check.REPLICAS,
                            "none: sentinels have nothing to fail over to",
                            "a replica on another machine");
                case CLUSTER ->
                    Finding.warning(
                            Check.REPLICAS,
                            "none: its locks wait until it is back",
                            "CLUSTER REPLICATE on another node");
            };
        }
        List<Replica> behind = replicas.stream()
                .filter(replica -> !replica.isOnline() || replica.lagSeconds() > MOST_LAG)
                .toList();
        String figure = replicas.size() + ", "
                + replicas.stream()
                        .map(replica -> replica.address()
                                + (replica.isOnline() ? " lags " + replica.lagSeconds() + " s" : " is not in sync"))
                        .collect(Collectors.joining(", "));
        return behind.isEmpty()
                ? Finding.ok(
                        Check.REPLICAS,
                        replicas.size() + ", lag at most "
                                + replicas.stream()
                                        .mapToLong(Replica::lagSeconds)
                                        .max()
                                        .orElse(0) + " s")
                : Finding.warning(Check.REPLICAS, figure, "a look at those replicas, and at their network");
    }

    /** A replica becomes a master with what it is set to, so it is asked, too. */
    static Finding minReplicas(Node node, Answer<List<Replica>> replicas) {
        Answer<Long> least = node.numericSetting("min-replicas-to-write");
        Answer<Long> lag = node.numericSetting("min-replicas-max-lag");
        if (!least.isKnown() || !lag.isKnown()) {
            return Finding.unknown(
                    Check.MIN_REPLICAS, "min-replicas-to-write", least.isKnown() ? lag.reason() : least.reason());
        }
        if (!replicas.isKnown()) {
            return Finding.unknown(Check.MIN_REPLICAS, "the number of replicas", replicas.reason());
        }
        return minReplicas(
                least.orElse(0L), lag.orElse(0L), replicas.orElse(List.of()).size());
    }

    private static Finding minReplicas(long least, long lag, int replicas) {
        String figure = "min-replicas-to-write " + least + ", min-replicas-max-lag " + lag + " s, replicas " + replicas;
        String off = "CONFIG SET min-replicas-to-write 0";
        boolean isOn = least > 0 && lag > 0;
        if (replicas < 2) {
            if (!isOn) {
                return Finding.ok(Check.MIN_REPLICAS, figure);
            }
            return least > replicas
                    ? Finding.error(Check.MIN_REPLICAS, figure + ": no lock is granted (NOREPLICAS)", off)
                    : Finding.warning(
                            Check.MIN_REPLICAS, figure + ": after a failover, no lock is granted (NOREPLICAS)", off);
        }
        if (least > replicas && isOn) {
            return Finding.error(Check.MIN_REPLICAS, figure + ": no lock is granted (NOREPLICAS)", ONE_REPLICA);
        }
        return isOn && least < replicas && lag <= MOST_LAG
                ? Finding.ok(Check.MIN_REPLICAS, figure)
                : Finding.warning(Check.MIN_REPLICAS, figure, ONE_REPLICA);
    }
}
