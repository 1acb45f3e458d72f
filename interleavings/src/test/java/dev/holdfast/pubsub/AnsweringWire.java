package dev.holdfast.pubsub;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server that runs commands in the order they were sent, when it is told to. Whoever tells it is its I/O
 * thread, of which there is one at a time.
 */
final class AnsweringWire implements Wire {
    private static final class Command {
        final boolean subscribes;
        final String channel;

        Command(boolean subscribes, String channel) {
            this.subscribes = subscribes;
            this.channel = channel;
        }
    }

    private @Nullable Events events;

    // Guarded by this.
    private final Queue<Command> sent = new ArrayDeque<>();
    private boolean connected;

    /** What the server has; used on the I/O thread only. */
    private final Set<String> subscribed = new HashSet<>();

    AnsweringWire attach(Events to) {
        events = to;
        return this;
    }

    private Events events() {
        return Objects.requireNonNull(events, "not attached");
    }

    boolean hasSubscribed(String channel) {
        return subscribed.contains(channel);
    }

    /** The server runs what was sent until now, and what is sent upon its answers. */
    void answer() {
        for (Command next = next(); next != null; next = next()) {
            if (next.subscribes) {
                subscribed.add(next.channel);
                events().subscribed(next.channel);
            } else {
                subscribed.remove(next.channel);
                events().unsubscribed(next.channel);
            }
        }
    }

    private synchronized @Nullable Command next() {
        return sent.poll();
    }

    void connect() {
        synchronized (this) {
            connected = true;
        }
        events().connected();
    }

    /** What was sent and not answered is gone, and the server knows nobody any more. */
    void lose() {
        synchronized (this) {
            connected = false;
            sent.clear();
        }
        subscribed.clear();
        events().disconnected();
    }

    @Override
    public void start() {
        connect();
    }

    @Override
    public synchronized boolean isConnected() {
        return connected;
    }

    @Override
    public boolean isIoThread() {
        return false;
    }

    @Override
    public void subscribe(Collection<String> channels) {
        send(true, channels);
    }

    @Override
    public void unsubscribe(Collection<String> channels) {
        send(false, channels);
    }

    /** What is sent without a connection is not sent. */
    private synchronized void send(boolean subscribes, Collection<String> channels) {
        if (connected) {
            for (String channel : channels) {
                sent.add(new Command(subscribes, channel));
            }
        }
    }

    @Override
    public void ping() {
        throw new AssertionError("nobody waits that long here");
    }

    @Override
    public void disconnect() {
        throw new AssertionError("the server is never silent for long here");
    }

    @Override
    public CompletionStage<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}
