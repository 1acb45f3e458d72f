package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.TIMEOUT;
import static dev.holdfast.pubsub.Connected.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Subscriptions come and go, many at a time, also while the connection is lost or slow. */
@Tag("driver")
@Tag("slow")
class SubscriptionsFlappingTest {
    @AutoClose
    private final RedisServer server = RedisServer.builder().start();

    /**
     * However subscriptions come and go, in any order of commands and replies, the channels that are wanted at the end
     * are received.
     */
    @ParameterizedTest
    @EnumSource
    void comeAndGo_endsInWhatIsWanted(ProtocolVersion protocol) throws Exception {
        try (Connected connected = Connected.to(server, protocol)) {
            flap(connected.subscriptions(), () -> {});
            assertReceived(connected);
            assertThat(connected.subscriptions().epoch()).isEqualTo(1);
        }
    }

    /** The same while the connection is lost again and again. */
    @ParameterizedTest
    @EnumSource
    void whileReconnecting_endsInWhatIsWanted(ProtocolVersion protocol) throws Exception {
        try (Connected connected = Connected.to(server, protocol)) {
            flap(connected.subscriptions(), () -> server.command("CLIENT", "KILL", "TYPE", "pubsub"));
            assertReceived(connected);
        }
    }

    /** The same with slow replies, so that subscriptions change many times before they come. */
    @Test
    void onASlowNetwork_endsInWhatIsWanted() throws Exception {
        try (FaultProxy proxy = FaultProxy.inFrontOf(server);
                Connected connected =
                        Connected.to(RedisURI.create(proxy.uri()), ProtocolVersion.RESP3, Connected.HASTY)) {
            proxy.delay(Direction.REPLIES, Duration.ofMillis(30));
            flap(connected.subscriptions(), () -> {});
            assertReceived(connected);
        }
    }

    private void assertReceived(Connected connected) {
        Subscription held = connected.confirmed("flap:0");
        get(held.confirmed());
        held.drain();
        Waiter waiter = held.acquire();
        server.command("PUBLISH", "flap:0", "0");
        get(waiter);
        held.close();
        connected.awaitNothingSubscribed(server);
    }

    private static void flap(Subscriptions subscriptions, Runnable disturbance) throws Exception {
        int count = 3;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        ExecutorService threads = Executors.newFixedThreadPool(count);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(() -> {
                    while (System.nanoTime() < end) {
                        comeAndGo(subscriptions);
                    }
                }));
            }
            await().pollInterval(Duration.ofMillis(100)).atMost(TIMEOUT).until(() -> {
                disturbance.run();
                return System.nanoTime() > end;
            });
            for (Future<?> thread : running) {
                thread.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void comeAndGo(Subscriptions subscriptions) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try (Subscription subscription = subscriptions.subscribe("flap:" + random.nextInt(3))) {
            if (random.nextBoolean()) {
                get(subscription.confirmed());
                subscription.leave(subscription.acquire());
            }
        }
        if (random.nextInt(20) == 0) {
            // Long enough for the linger to end at times.
            LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(60)));
        }
    }
}
