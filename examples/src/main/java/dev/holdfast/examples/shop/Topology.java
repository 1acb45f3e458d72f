package dev.holdfast.examples.shop;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the Redis servers of the lock are set up. */
enum Topology {
    /** One server, which has the shop's data as well. */
    STANDALONE,
    /** A Redis Cluster. */
    CLUSTER,
    /** A master with replicas, under Sentinel. */
    SENTINEL;

    /** {@return the topology of that name on the command line, if it has replicas} */
    static Optional<Topology> replicated(String word) {
        return Arrays.stream(values())
                .filter(topology -> topology != STANDALONE)
                .filter(topology -> topology.word().equals(word))
                .findFirst();
    }

    /** {@return its name on the command line} */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
