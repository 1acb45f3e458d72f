package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** A subscription to one sentinel's {@code +switch-master}. Not safe for use by several threads. */
public final class SentinelSubscription implements AutoCloseable {
    private static final String CHANNEL = "+switch-master";
    private static final int PAYLOAD = 2;

    private final RespConnection connection;

    private SentinelSubscription(RespConnection connection) {
        this.connection = connection;
    }

    static SentinelSubscription to(RedisServer sentinel) {
        try {
            RespConnection connection = RespConnection.to(sentinel, Waiting.TIMEOUT);
            connection.call("SUBSCRIBE", CHANNEL);
            return new SentinelSubscription(connection);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot subscribe to " + sentinel, e);
        }
    }

    /**
     * {@return the next message, which may have arrived before the call}
     *
     * @throws UncheckedIOException if none arrives within a minute, or the sentinel has ended
     */
    public SwitchMaster next() {
        try {
            List<?> message = (List<?>) Objects.requireNonNull(connection.receive());
            return SwitchMaster.parse(String.valueOf(message.get(PAYLOAD)));
        } catch (IOException e) {
            throw new UncheckedIOException("no " + CHANNEL, e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close a subscription", e);
        }
    }
}
