package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Many channels, with one subscription and one waiter each. */
final class ManyChannels {
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<Waiter> waiters = new ArrayList<>();

    private ManyChannels() {}

    static ManyChannels subscribe(Subscriptions to, int count) {
        ManyChannels many = new ManyChannels();
        for (int i = 0; i < count; i++) {
            many.subscriptions.add(to.subscribe("channel:" + i));
        }
        return many;
    }

    void awaitConfirmed() {
        Connected.get(CompletableFuture.allOf(subscriptions.stream()
                .map(Subscription::confirmed)
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture<?>[]::new)));
    }

    void acquire() {
        waiters.clear();
        for (Subscription subscription : subscriptions) {
            subscription.drain();
            waiters.add(subscription.acquire());
        }
    }

    void awaitWoken(Wakeup how) {
        Connected.get(CompletableFuture.allOf(waiters.toArray(CompletableFuture<?>[]::new)));
        assertThat(waiters).allSatisfy(waiter -> assertThat(waiter).isCompletedWithValue(how));
    }

    /** Sends one message to each channel. */
    void publish(RedisServer server) {
        try (RedisClient client = RedisClient.create(server.uri())) {
            RedisAsyncCommands<String, String> commands = client.connect().async();
            Connected.get(CompletableFuture.allOf(subscriptions.stream()
                    .map(subscription -> commands.publish(subscription.channel(), "0"))
                    .map(CompletionStage::toCompletableFuture)
                    .toArray(CompletableFuture<?>[]::new)));
        }
    }

    void close() {
        subscriptions.forEach(Subscription::close);
    }
}
