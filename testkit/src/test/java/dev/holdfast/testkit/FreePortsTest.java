package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;

/** The ports that servers get. */
final class FreePortsTest {
    /** Linux assigns the ports of outgoing connections from here on. */
    private static final int OUTGOING = 32_768;

    /** Neither port of a node of a cluster is one that an outgoing connection could take while the node is down. */
    @RepeatedTest(20)
    void pickForClusterNode_belowOutgoing() {
        int port = FreePorts.pickForClusterNode();
        assertThat(port + 10_000).isLessThan(OUTGOING);
        assertThat(FreePorts.isFree(port)).isTrue();
        assertThat(FreePorts.isFree(port + 10_000)).isTrue();
    }
}
