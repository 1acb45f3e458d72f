package dev.holdfast.testkit;

import java.util.List;

/** What a started process is, as far as its start depends on it. */
enum ServerKind {
    /** A server that is ready when it replies. */
    PLAIN,
    /** A server that is ready when it is in sync with its master. */
    REPLICA,
    /** A node of a cluster, with a second port for the cluster bus; ready when it replies. */
    CLUSTER_NODE,
    /** A sentinel, which rewrites its configuration file when it discovers other nodes; ready when it replies. */
    SENTINEL;

    /** {@return the arguments after the configuration file} */
    List<String> arguments() {
        return this == SENTINEL ? List.of("--sentinel") : List.of();
    }

    /** {@return a port without a listener now, with everything that this kind of server needs} */
    ReservedPort reservePort() {
        return this == CLUSTER_NODE ? FreePorts.reserveForClusterNode() : FreePorts.reserve();
    }
}
