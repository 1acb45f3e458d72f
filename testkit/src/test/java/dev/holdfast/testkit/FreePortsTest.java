package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The ports that servers get. */
final class FreePortsTest {
    /** Linux assigns the ports of outgoing connections from here on. */
    private static final int OUTGOING = 32_768;

    private static final int BUS = 10_000;

    /** Neither port of a node of a cluster is one that an outgoing connection could take while the node is down. */
    @RepeatedTest(20)
    void reserveForClusterNode_belowOutgoing() {
        try (ReservedPort reserved = FreePorts.reserveForClusterNode()) {
            int port = reserved.port();
            assertThat(port + BUS).isLessThan(OUTGOING);
            assertThat(FreePorts.isFree(port)).isTrue();
            assertThat(FreePorts.isFree(port + BUS)).isTrue();
            assertThat(ReservedPort.tryReserve(port)).isNull();
            assertThat(ReservedPort.tryReserve(port + BUS)).isNull();
        }
    }

    /** The port of a server stays its own while the server is down, and is free again when it is closed. */
    @Test
    void killedServer_keepsItsPort() {
        int port;
        try (RedisServer server = RedisServer.start()) {
            port = server.endpoint().port();
            server.kill();
            assertThat(FreePorts.isFree(port)).isTrue();
            assertThat(ReservedPort.tryReserve(port)).isNull();
            server.restart();
            assertThat(server.command("PING")).isEqualTo("PONG");
        }
        assertIsFree(port);
    }

    /** So does that of a proxy that refuses connections. */
    @Test
    void refusingProxy_keepsItsPort() {
        int port;
        try (RedisServer server = RedisServer.start();
                FaultProxy proxy = FaultProxy.inFrontOf(server)) {
            port = proxy.port();
            proxy.refuse();
            assertThat(ReservedPort.tryReserve(port)).isNull();
        }
        assertIsFree(port);
    }

    /** A port of which a further one is taken is not reserved either. */
    @Test
    void tryReserve_allOrNothing() {
        int port;
        try (ReservedPort free = FreePorts.reserve()) {
            port = free.port();
        }
        try (ReservedPort taken = FreePorts.reserve()) {
            assertThat(ReservedPort.tryReserve(port, taken.port())).isNull();
            assertIsFree(port);
        }
    }

    /** The mark is one of the operating system, which other processes see. */
    @Test
    void reserved_isSeenByOthers() {
        try (ReservedPort reserved = FreePorts.reserve()) {
            assertThatThrownBy(() -> new DatagramSocket(reserved.port(), InetAddress.getLoopbackAddress()).close())
                    .isInstanceOf(SocketException.class);
        }
    }

    private static void assertIsFree(int port) {
        try (ReservedPort again = ReservedPort.tryReserve(port)) {
            assertThat(again).isNotNull();
        }
    }
}
