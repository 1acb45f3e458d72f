package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A connection whose other end is the test: records what is sent, and replies when the test makes it. */
final class FakeWire implements Wire {
    static final Duration LINGER = Duration.ofSeconds(1);

    private static final PubSubSettings SETTINGS =
            new PubSubSettings(LINGER, Duration.ofSeconds(1), Duration.ofSeconds(3));

    private final List<String> sent = new ArrayList<>();
    private @Nullable Events events;
    private boolean connected;
    boolean closed;

    /**
     * {@return subscriptions on this connection, which ping every second, and give it up after three seconds of
     * silence}
     */
    Subscriptions subscriptions(Timer timer) {
        return new Subscriptions(this::attach, timer, SETTINGS);
    }

    FakeWire attach(Events to) {
        events = to;
        return this;
    }

    /** {@return the receiver of the server's events} */
    Events events() {
        return Objects.requireNonNull(events, "not attached");
    }

    @Override
    public void start() {
        connect();
    }

    void connect() {
        connected = true;
        events().connected();
    }

    /** Loses the connection. */
    void lose() {
        connected = false;
        events().disconnected();
    }

    /** {@return what was sent since the last call} */
    List<String> sent() {
        List<String> copy = List.copyOf(sent);
        sent.clear();
        return copy;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void subscribe(Collection<String> channels) {
        channels.forEach(channel -> sent.add("+" + channel));
    }

    @Override
    public void unsubscribe(Collection<String> channels) {
        channels.forEach(channel -> sent.add("-" + channel));
    }

    @Override
    public @Nullable String clientInfo() {
        return null;
    }

    @Override
    public void ping() {
        sent.add("ping");
    }

    @Override
    public void disconnect() {
        sent.add("disconnect");
    }

    @Override
    public CompletionStage<Void> close() {
        connected = false;
        closed = true;
        return CompletableFuture.completedFuture(null);
    }
}
