package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.time.Duration;
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
 * A connection to a server that runs commands in the order in which they were sent, one with each {@link #turn}. The
 * calling thread is its I/O thread, of which there is one at a time.
 */
public final class AnsweringWire implements Wire {
    private static final class Command {
        final boolean subscribes;
        final String channel;

        Command(boolean subscribes, String channel) {
            this.subscribes = subscribes;
            this.channel = channel;
        }
    }

    private record Message(String channel, String text) {}

    private @Nullable Events events;

    // Guarded by this.
    private final Queue<Command> sent = new ArrayDeque<>();
    private final Queue<Message> messages = new ArrayDeque<>();
    private boolean connected;

    /** The subscriptions on the server. */
    private final Set<String> subscribed = new HashSet<>();

    /** {@return subscriptions over this connection, with a very long ping interval} */
    public Subscriptions subscriptions(Timer timer, Duration linger) {
        return new Subscriptions(
                this::attach, timer, new PubSubSettings(linger, Duration.ofMinutes(10), Duration.ofMinutes(30)));
    }

    AnsweringWire attach(Events to) {
        events = to;
        return this;
    }

    private Events events() {
        return Objects.requireNonNull(events, "not attached");
    }

    public synchronized boolean hasSubscribed(String channel) {
        return subscribed.contains(channel);
    }

    /** Publishes a message on the server. */
    public void publish(String channel) {
        publish(channel, "0");
    }

    /** Publishes this message on the server. */
    public synchronized void publish(String channel, String text) {
        if (subscribed.contains(channel)) {
            messages.add(new Message(channel, text));
        }
    }

    /** Loses the messages that were published and not delivered. */
    public synchronized void loseMessages() {
        messages.clear();
    }

    /** {@return whether there is a command to run or a message to deliver} */
    public synchronized boolean hasWork() {
        return !sent.isEmpty() || !messages.isEmpty();
    }

    /** Makes the server run everything that was sent until now, and what is sent in response. */
    void answer() {
        while (hasWork()) {
            turn();
        }
    }

    /** Makes the server deliver one message, or run one command that was sent. */
    public void turn() {
        Message message;
        Command command = null;
        synchronized (this) {
            message = messages.poll();
            if (message == null) {
                command = next();
            }
        }
        if (message != null) {
            events().message(message.channel, message.text);
        } else if (command != null && command.subscribes) {
            events().subscribed(command.channel);
        } else if (command != null) {
            events().unsubscribed(command.channel);
        }
    }

    private @Nullable Command next() {
        Command next = sent.poll();
        if (next != null && next.subscribes) {
            subscribed.add(next.channel);
        } else if (next != null) {
            subscribed.remove(next.channel);
        }
        return next;
    }

    public void connect() {
        synchronized (this) {
            connected = true;
        }
        events().connected();
    }

    /** Loses the connection: unanswered commands are lost, and the server has no subscriptions any more. */
    public void lose() {
        synchronized (this) {
            connected = false;
            sent.clear();
            messages.clear();
            subscribed.clear();
        }
        events().disconnected();
    }

    /** Loses the connection, and makes a new one. */
    public void cut() {
        lose();
        connect();
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
    public void subscribe(Collection<String> channels) {
        send(true, channels);
    }

    @Override
    public void unsubscribe(Collection<String> channels) {
        send(false, channels);
    }

    /** Without a connection nothing is sent. In the order of the names, so that each run takes the same steps. */
    private synchronized void send(boolean subscribes, Collection<String> channels) {
        if (connected) {
            channels.stream().sorted().forEach(channel -> sent.add(new Command(subscribes, channel)));
        }
    }

    @Override
    public @Nullable String clientInfo() {
        return null;
    }

    @Override
    public void ping() {
        throw new AssertionError("no ping is due here");
    }

    @Override
    public void disconnect() {
        throw new AssertionError("the server always replies here");
    }

    @Override
    public CompletionStage<Void> close() {
        return CompletableFuture.completedFuture(null);
    }
}
