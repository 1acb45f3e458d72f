package dev.holdfast.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports for servers that are stopped and started again on the same port.
 *
 * <p>They are below the range from which an operating system assigns the local ports of outgoing connections. A port
 * within it could be assigned while its server is down, even to a client that connects to that very port and so to
 * itself. Each is {@linkplain ReservedPort reserved}, so that no other server takes it before its own starts.
 */
final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 100;
    /** The distance from the port of a cluster node to its bus port, which is fixed before Redis 7.0. */
    private static final int BUS = 10_000;

    private FreePorts() {}

    /**
     * {@return a port without a listener now; a process that is none of the testkit's may still take it, so a caller must
     * be ready to retry}
     */
    static ReservedPort reserve() {
        return reserve(HIGHEST);
    }

    /** {@return a port for a node of a cluster: its bus port, in the same range, is reserved and has no listener either} */
    static ReservedPort reserveForClusterNode() {
        return reserve(HIGHEST - BUS, BUS);
    }

    /** @param distances of the further ports that the server needs */
    private static ReservedPort reserve(int highest, int... distances) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, highest);
            int[] others =
                    IntStream.of(distances).map(distance -> port + distance).toArray();
            ReservedPort reserved = ReservedPort.tryReserve(port, others);
            if (reserved == null) {
                continue;
            }
            if (isFree(port) && IntStream.of(others).allMatch(FreePorts::isFree)) {
                return reserved;
            }
            reserved.close();
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + highest);
    }

    /** {@return whether a server could listen on this port now} */
    static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
