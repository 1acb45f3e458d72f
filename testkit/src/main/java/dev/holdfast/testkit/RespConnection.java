package dev.holdfast.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blocking RESP2 connection on a socket of its own, to set up and query a server independently of the client under
 * test: for commands that depend on the connection, and for subscriptions. {@link RedisServer#command} suffices for all
 * others. Not safe for use by several threads. Every read is limited by the timeout given at the start, or later by
 * {@link #limitReads}.
 */
public final class RespConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    private RespConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /**
     * Connects to a server and authenticates.
     *
     * @param timeout the limit of connecting and of every read
     */
    public static RespConnection to(RedisServer server, Duration timeout) throws IOException {
        return open(server.endpoint(), timeout);
    }

    /** Connects, authenticates and selects the database, as far as the endpoint requires it. */
    static RespConnection open(Endpoint endpoint, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(endpoint.host(), endpoint.port()), millis);
            socket.setTcpNoDelay(true);
            RespConnection connection = new RespConnection(socket);
            connection.limitReads(timeout);
            connection.greet(endpoint);
            return connection;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Limits the reads from now on.
     *
     * @param timeout at least 1 ms
     */
    public void limitReads(Duration timeout) throws IOException {
        socket.setSoTimeout(Math.max(1, Math.toIntExact(timeout.toMillis())));
    }

    private void greet(Endpoint endpoint) throws IOException {
        String user = endpoint.user();
        String password = endpoint.password();
        if (password != null) {
            call(user == null ? new String[] {"AUTH", password} : new String[] {"AUTH", user, password});
        }
        if (endpoint.database() != 0) {
            call("SELECT", Integer.toString(endpoint.database()));
        }
    }

    /**
     * Sends one command and waits for its reply.
     *
     * @return a {@code String}, a {@code Long}, a {@code List} of these, or null for nil
     * @throws RedisReplyException if the server replied with an error
     */
    public @Nullable Object call(String... arguments) throws IOException {
        socket.getOutputStream().write(encoded(arguments));
        return receive();
    }

    /**
     * Waits for the next reply or message without sending anything.
     *
     * @return a {@code String}, a {@code Long}, a {@code List} of these, or null for nil
     * @throws RedisReplyException if it is an error
     * @throws java.net.SocketTimeoutException if none arrives within the timeout
     */
    public @Nullable Object receive() throws IOException {
        Object reply = read();
        if (reply instanceof RedisReplyException error) {
            throw error;
        }
        return reply;
    }

    static byte[] encoded(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ascii("*" + arguments.length + "\r\n"));
        for (String argument : arguments) {
            byte[] value = argument.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(ascii("$" + value.length + "\r\n"));
            bytes.writeBytes(value);
            bytes.writeBytes(ascii("\r\n"));
        }
        return bytes.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads one reply; an error inside an array is an element, since the other elements are still valid. */
    private @Nullable Object read() throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new RedisReplyException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> readBulk(Integer.parseInt(rest));
            case '*' -> readArray(Integer.parseInt(rest));
            default -> throw new IOException("not a RESP2 reply: " + line);
        };
    }

    private @Nullable String readBulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] value = in.readNBytes(length);
        if (value.length < length || in.readNBytes(2).length < 2) {
            throw closed();
        }
        return new String(value, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> readArray(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> elements = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            elements.add(read());
        }
        return elements;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw closed();
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        if (line.size() == 0) {
            throw new IOException("an empty line is not a RESP2 reply");
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private static EOFException closed() {
        return new EOFException("the server closed the connection before its reply was complete");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
