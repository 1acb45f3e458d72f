package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A plain socket that speaks RESP line by line, so that a test observes what arrives and how the connection ends. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static RawClient to(FaultProxy proxy) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setTcpNoDelay(true);
        RawClient client = new RawClient(socket);
        client.limitReads(ProcessChecks.TIMEOUT);
        return client;
    }

    String call(String... words) throws IOException {
        send(words);
        return line();
    }

    void send(String... words) throws IOException {
        socket.getOutputStream().write(RespConnection.encoded(words));
    }

    String line() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new EOFException();
        }
        return line;
    }

    void skip(String... lines) throws IOException {
        for (String expected : lines) {
            assertThat(line()).isEqualTo(expected);
        }
    }

    void expectSilence() throws IOException {
        limitReads(ProcessChecks.PAUSE);
        assertThatThrownBy(this::line).isInstanceOf(SocketTimeoutException.class);
        limitReads(ProcessChecks.TIMEOUT);
    }

    private void limitReads(Duration limit) throws IOException {
        socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
    }

    /** Reads to the end of the stream; false if the connection ended in another way. */
    boolean endsInGoodOrder() {
        try {
            while (in.readLine() != null) {
                // Lines before the end are discarded.
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return whether the connection ends, in any way, within the timeout of a read} */
    boolean isEnded() {
        try {
            line();
            return false;
        } catch (SocketTimeoutException alive) {
            return false;
        } catch (IOException ended) {
            return true;
        }
    }

    void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
