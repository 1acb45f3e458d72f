package dev.holdfast.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A port that no other server or proxy of the testkit takes, in any process, until this is closed: not even while
 * nothing listens on it, since its server has been killed and is to be restarted there.
 *
 * <p>The mark of a reservation is a datagram socket that is bound to the same number, which no server of the testkit
 * uses. So the operating system removes the mark when the process ends, however it ends.
 */
final class ReservedPort implements AutoCloseable {
    private final int port;
    private final List<DatagramSocket> marks;

    private ReservedPort(int port, List<DatagramSocket> marks) {
        this.port = port;
        this.marks = marks;
    }

    /** {@return a port that the caller has chosen, without a mark} */
    static ReservedPort fixed(int port) {
        return new ReservedPort(port, List.of());
    }

    /**
     * Reserves a port, and others that its server needs.
     *
     * @return null if one of them is reserved already
     */
    static @Nullable ReservedPort tryReserve(int port, int... others) {
        List<DatagramSocket> marks = new ArrayList<>();
        ReservedPort reserved = new ReservedPort(port, marks);
        boolean complete = reserved.mark(port);
        for (int other : others) {
            complete = complete && reserved.mark(other);
        }
        if (!complete) {
            reserved.close();
            return null;
        }
        return reserved;
    }

    private boolean mark(int number) {
        DatagramSocket mark;
        try {
            mark = new DatagramSocket(null);
        } catch (SocketException e) {
            throw new UncheckedIOException("cannot create a socket", e);
        }
        marks.add(mark);
        try {
            mark.setReuseAddress(false);
            mark.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** Gives the port back; a second call does nothing. */
    @Override
    public void close() {
        marks.forEach(DatagramSocket::close);
    }
}
