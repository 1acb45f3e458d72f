package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The proxy with and without a fault, as observed by a plain socket, in front of a real server. */
final class FaultProxyTest {
    @RegisterExtension
    final Fronted fronted = new Fronted();

    private final RedisServer server = fronted.server();
    private final FaultProxy proxy = fronted.proxy();

    /** Without faults a proxy is transparent, and counts. */
    @Test
    void noFault_forwardsAndCounts() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("SET", "key", "value")).isEqualTo("+OK");
            assertThat(client.call("GET", "key")).isEqualTo("$5");
            assertThat(client.line()).isEqualTo("value");
            assertThat(proxy.commands("set")).isEqualTo(1);
            assertThat(proxy.commands("GET")).isEqualTo(1);
            assertThat(proxy.commands("EVALSHA")).isZero();
            assertThat(proxy.bytes(Direction.REQUESTS)).isEqualTo(33 + 22);
            assertThat(proxy.bytes(Direction.REPLIES)).isEqualTo(5 + 11);
            assertThat(proxy.connections()).singleElement().satisfies(one -> {
                assertThat(one.commands("SET")).isEqualTo(1);
                assertThat(one.bytes(Direction.REPLIES)).isEqualTo(16);
            });
            proxy.resetCounters();
            assertThat(proxy.commands("SET")).isZero();
            assertThat(proxy.bytes(Direction.REQUESTS)).isZero();
        }
        await().atMost(ProcessChecks.TIMEOUT).until(() -> proxy.connections().isEmpty());
    }

    /** A client that half-closes the connection still receives the reply. */
    @Test
    void halfClose_answerArrives() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.delay(ProcessChecks.PAUSE);
            client.send("SET", "key", "value");
            client.shutdownOutput();
            assertThat(client.endsInGoodOrder()).isTrue();
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /** A delay applies to each direction, keeps the order, and can be ended. */
    @Test
    void delay_eachWay() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.delay(ProcessChecks.PAUSE);
            long start = System.nanoTime();
            client.send("INCR", "n");
            client.send("INCR", "n");
            assertThat(client.line()).isEqualTo(":1");
            assertThat(client.line()).isEqualTo(":2");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(ProcessChecks.PAUSE.multipliedBy(2));
            proxy.heal();
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    /** A distance is not a fault: it remains after healing, and applies to later connections. */
    @Test
    void distance_outlivesHealing() throws IOException {
        proxy.distance(ProcessChecks.PAUSE);
        proxy.heal();
        try (RawClient client = RawClient.to(proxy)) {
            long start = System.nanoTime();
            assertThat(client.call("PING")).isEqualTo("+PONG");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(ProcessChecks.PAUSE.multipliedBy(2));
        }
    }

    /** A rule that was not used is discarded when the proxy is healed. */
    @Test
    void heal_forgetsRules() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.swallowReplyTo("PING");
            proxy.connections().get(0).swallowNextReply();
            proxy.refuse();
            proxy.heal();
            assertThat(client.call("PING")).isEqualTo("+PONG");
            try (RawClient next = RawClient.to(proxy)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** Faults can apply to the connections that match, and no others. */
    @Test
    void matching_onlyThose() throws IOException {
        try (RawClient subscriber = RawClient.to(proxy);
                RawClient caller = RawClient.to(proxy)) {
            subscriber.send("SUBSCRIBE", "news");
            subscriber.skip("*3", "$9", "subscribe", "$4", "news", ":1");
            assertThat(caller.call("PING")).isEqualTo("+PONG");
            Faults subscriptions = proxy.matching(connection -> connection.commands("SUBSCRIBE") > 0);
            subscriptions.blackHole();
            server.command("PUBLISH", "news", "0");
            subscriber.expectSilence();
            assertThat(caller.call("PING")).isEqualTo("+PONG");
            subscriptions.heal();
            subscriber.skip("*3", "$7", "message", "$4", "news", "$1", "0");
            subscriptions.cutRst();
            assertThatThrownBy(subscriber::line).isInstanceOf(SocketException.class);
            assertThat(caller.call("PING")).isEqualTo("+PONG");
        }
    }

    /** A slow or frozen server does not block the proxy's methods. */
    @Test
    void frozenServer_doesNotBlockProxy() throws IOException {
        try (RedisServer frozen = RedisServer.builder().start();
                FaultProxy front = FaultProxy.inFrontOf(frozen);
                RawClient client = RawClient.to(front)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            frozen.pause();
            client.send("PING");
            client.expectSilence();
            front.cutRst();
            assertThat(client.isEnded()).isTrue();
        }
    }

    /** Closing a proxy resets its clients and leaves neither port nor thread. */
    @Test
    void close_leavesNothing() throws IOException {
        FaultProxy other = FaultProxy.inFrontOf("127.0.0.1", server.port());
        assertThat(other.uri()).isEqualTo("redis://127.0.0.1:" + other.port());
        try (RawClient client = RawClient.to(other)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            long threads = proxyThreads();
            other.close();
            assertThat(client.isEnded()).isTrue();
            assertThatThrownBy(() -> RawClient.to(other)).isInstanceOf(ConnectException.class);
            await().atMost(ProcessChecks.TIMEOUT).until(() -> proxyThreads() == threads - 1);
        }
    }

    private static long proxyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-fault-proxy"))
                .count();
    }
}
