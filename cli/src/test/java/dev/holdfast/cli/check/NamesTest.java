package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A name is looked up at a name server, with the lifetime of its addresses. */
final class NamesTest {
    private static final int LIFETIME = 60;

    /** A name that leads to two servers: what the warning about it says is what the name server says. */
    @Test
    void name_ofTwoServers() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                Names names = new Names(new SingletonDnsServerAddressStreamProvider(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort())))) {
            Thread server = new Thread(() -> serve(socket), "name server");
            server.setDaemon(true);
            server.start();

            Lookup lookup = names.of("redis.example.org");

            assertThat(lookup.addresses()).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
            assertThat(lookup.seconds()).isEqualTo(OptionalLong.of(LIFETIME));
            assertThat(NameChecks.of(lookup))
                    .returns(Level.WARNING, Finding::level)
                    .satisfies(finding -> assertThat(finding.figure()).endsWith("cached for 60 s"));
        }
    }

    /** Until the socket is closed. */
    private static void serve(DatagramSocket socket) {
        byte[] bytes = new byte[512];
        DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
        try {
            while (!socket.isClosed()) {
                packet.setLength(bytes.length);
                socket.receive(packet);
                byte[] reply = reply(Arrays.copyOf(bytes, packet.getLength()));
                socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
        }
    }

    /** The query with two addresses if it is for those of version 4, and with none otherwise. */
    private static byte[] reply(byte[] query) throws IOException {
        int end = 12;
        while (query[end] != 0) {
            end += query[end] + 1;
        }
        boolean isForVersion4 = query[end + 2] == 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream reply = new DataOutputStream(bytes);
        reply.write(query, 0, 2); // its number
        reply.writeShort(0x8180); // a reply without an error
        reply.writeShort(1);
        reply.writeShort(isForVersion4 ? 2 : 0);
        reply.writeInt(0); // nothing else
        reply.write(query, 12, end + 5 - 12);
        for (int i = 1; isForVersion4 && i <= 2; i++) {
            reply.writeShort(0xC00C); // the name of the query
            reply.writeShort(1);
            reply.writeShort(1);
            reply.writeInt(LIFETIME);
            reply.writeShort(4);
            reply.write(new byte[] {10, 0, 0, (byte) i});
        }
        return bytes.toByteArray();
    }
}
