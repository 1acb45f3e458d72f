package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.Connected.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sharded channels, at the master of their slot. */
class ShardedSubscriptionsTest {
    private static RedisCluster cluster;

    private final ClientResources resources = ClientResources.create();
    private final Timer timer = new HashedWheelTimer(10, TimeUnit.MILLISECONDS);
    private final Subscriptions subscriptions = Subscriptions.unconnected(timer, Connected.HASTY);
    private ClusterNode master;
    private String channel;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.builder().replicasPerMaster(0).start();
        assumeTrue(
                !cluster.masters().get(0).server().version().startsWith("6."),
                "sharded channels need Redis 7.0 or later");
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @BeforeEach
    void choose() {
        master = cluster.masters().get(0);
        channel = cluster.keyAt(master);
    }

    @AfterEach
    void close() {
        subscriptions.close();
        timer.stop();
        resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void open() {
        RedisURI uri = RedisURI.create(master.uri());
        uri.setTimeout(Duration.ofSeconds(2));
        assertThat(get(subscriptions.open(
                        resources, Connected.options(ProtocolVersion.RESP3), uri, ChannelKind.SHARDED)))
                .isTrue();
    }

    /** A channel that is subscribed before there is a connection receives what is published on it by SPUBLISH. */
    @Test
    void message_isReceived() {
        Subscription subscription = subscriptions.subscribe(channel);
        assertThat(subscription.isConfirmed()).isFalse();
        open();
        get(subscription.confirmed());
        subscription.drain();
        Waiter waiter = subscription.acquire();

        master.server().command("PUBLISH", channel, "of another kind");
        master.server().command("SPUBLISH", channel, "0");

        assertThat(get(waiter)).isEqualTo(Wakeup.PERMIT);
        assertThat(subscription.drain()).isZero();
        subscription.close();
        Eventually.await().until(() -> subscriptions.channels() == 0);
    }

    /** A channel whose slot has moved wakes its waiters, since nothing is published here any more. */
    @Test
    void slotMoved_wakesTheWaiters() {
        open();
        Subscription subscription = subscriptions.subscribe(channel);
        get(subscription.confirmed());
        subscription.drain();
        Waiter waiter = subscription.acquire();

        cluster.migrate(Slots.of(channel), cluster.masters().get(1));

        assertThat(get(waiter)).isEqualTo(Wakeup.ALL);
        assertThat(subscription.isConfirmed()).isFalse();
        assertThat(subscription.confirmed())
                .failsWithin(Connected.TIMEOUT)
                .withThrowableOfType(Exception.class)
                .havingRootCause()
                .withMessageStartingWith("MOVED");
        subscription.close();
    }
}
