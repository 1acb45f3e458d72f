package dev.holdfast;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Records what is published on a channel while this is open. */
public final class Announcements implements AutoCloseable {
    private static final String END = "end";

    private final RedisServer server;
    private final String channel;
    private final RedisClient client;
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    private Announcements(RedisServer server, String channel) {
        this.server = server;
        this.channel = channel;
        this.client = RedisClient.create(server.uri());
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String from, String message) {
                received.add(message);
            }
        });
        connection.sync().subscribe(channel);
    }

    public static Announcements on(RedisServer server, String channel) {
        return new Announcements(server, channel);
    }

    /** {@return all that was published before this call} */
    public List<String> untilEnd() {
        server.command("PUBLISH", channel, END);
        List<String> messages = new ArrayList<>();
        for (String message = next(); !message.equals(END); message = next()) {
            messages.add(message);
        }
        return messages;
    }

    private String next() {
        try {
            String message = received.poll(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (message == null) {
                throw new AssertionError("no message within " + Patience.LIMIT);
            }
            return message;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("the test itself was interrupted", e);
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ZERO);
    }
}
