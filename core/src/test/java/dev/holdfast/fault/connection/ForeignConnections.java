package dev.holdfast.fault.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Another program's connections to a server, over its Unix domain socket. */
final class ForeignConnections implements AutoCloseable {
    private final List<SocketChannel> connections = new ArrayList<>();

    static ForeignConnections connect(RedisServer server, int count) throws IOException {
        ForeignConnections foreign = new ForeignConnections();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(server.unixSocket());
        for (int i = 0; i < count; i++) {
            foreign.connections.add(SocketChannel.open(address));
        }
        return foreign;
    }

    /** {@return the server's client id of each of them} */
    List<String> ids() {
        return connections.stream()
                .map(connection -> answer(connection, "CLIENT ID").substring(1))
                .toList();
    }

    /** {@return the reply to each of them, empty if it is gone} */
    List<String> ping() {
        return connections.stream()
                .map(connection -> answer(connection, "PING"))
                .toList();
    }

    private static String answer(SocketChannel connection, String command) {
        try {
            connection.write(ByteBuffer.wrap((command + "\r\n").getBytes(US_ASCII)));
            StringBuilder line = new StringBuilder();
            ByteBuffer one = ByteBuffer.allocate(1);
            while (line.indexOf("\r\n") < 0 && connection.read(one.clear()) > 0) {
                line.append((char) one.get(0));
            }
            return line.toString().strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the server has cut a foreign connection", e);
        }
    }

    @Override
    public void close() {
        for (SocketChannel connection : connections) {
            try {
                connection.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
