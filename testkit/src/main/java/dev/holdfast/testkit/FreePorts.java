package dev.holdfast.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntPredicate;

/**
 * Ports for servers that are stopped and started again on the same port.
 *
 * <p>They are below the range from which an operating system assigns the local ports of outgoing connections. A port
 * within it could be assigned while its server is down, even to a client that connects to that very port and so to
 * itself.
 */
final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 100;
    /** The distance from the port of a cluster node to its bus port, which is fixed before Redis 7.0. */
    private static final int BUS = 10_000;

    private FreePorts() {}

    /**
     * {@return a port without a listener now; another process may still take it, so a caller must be ready to retry}
     */
    static int pick() {
        return pick(HIGHEST, FreePorts::isFree);
    }

    /** {@return a port for a node of a cluster: its bus port, in the same range, has no listener either} */
    static int pickForClusterNode() {
        return pick(HIGHEST - BUS, port -> isFree(port) && isFree(port + BUS));
    }

    private static int pick(int highest, IntPredicate suitable) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, highest);
            if (suitable.test(port)) {
                return port;
            }
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
