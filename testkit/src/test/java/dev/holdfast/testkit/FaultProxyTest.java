package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault as a plain socket sees it, in front of a real server. */
final class FaultProxyTest {
    private static RedisServer server;
    private FaultProxy proxy;

    @BeforeAll
    static void startServer() {
        server = RedisServer.builder().start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void startProxy() {
        server.command("FLUSHALL");
        proxy = FaultProxy.inFrontOf(server);
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
        await().atMost(ProcessChecks.PATIENCE).until(() -> server.clients().isEmpty());
    }

    /** Without faults a proxy is not there, except that it counts. */
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
        await().atMost(ProcessChecks.PATIENCE).until(() -> proxy.connections().isEmpty());
    }

    /** A client that says it has no more to send still hears the answer. */
    @Test
    void halfClose_answerArrives() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.delay(ProcessChecks.MOMENT);
            client.send("SET", "key", "value");
            client.shutdownOutput();
            assertThat(client.endsInGoodOrder()).isTrue();
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /** A delay counts in each direction, keeps the order, and can be ended. */
    @Test
    void delay_eachWay() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.delay(ProcessChecks.MOMENT);
            long start = System.nanoTime();
            client.send("INCR", "n");
            client.send("INCR", "n");
            assertThat(client.line()).isEqualTo(":1");
            assertThat(client.line()).isEqualTo(":2");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(ProcessChecks.MOMENT.multipliedBy(2));
            proxy.heal();
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    /** A FIN cut is an end of stream to the client, and the server loses the connection too. */
    @Test
    void cutFin_endOfStream() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.cutFin();
            assertThat(client.endsInGoodOrder()).isTrue();
            await().atMost(ProcessChecks.PATIENCE).until(() -> server.clients().isEmpty());
            try (RawClient next = RawClient.to(proxy)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** A RST cut is a reset to the client, and the server loses the connection too. */
    @Test
    void cutRst_reset() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.cutRst();
            assertThatThrownBy(client::line).isInstanceOf(SocketException.class).hasMessageContaining("reset");
            await().atMost(ProcessChecks.PATIENCE).until(() -> server.clients().isEmpty());
        }
    }

    /** A reset by the client reaches the server, and leaves no connection behind. */
    @Test
    void clientReset_reachesServer() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            client.reset();
            await().atMost(ProcessChecks.PATIENCE).until(() -> server.clients().isEmpty());
            assertThat(proxy.connections()).isEmpty();
        }
    }

    /** The end of the server is the end of its clients. */
    @Test
    void serverKilled_endsClients() throws IOException {
        try (RedisServer mortal = RedisServer.builder().start();
                FaultProxy front = FaultProxy.inFrontOf(mortal);
                RawClient client = RawClient.to(front)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            mortal.kill();
            assertThat(client.isEnded()).isTrue();
            try (RawClient late = RawClient.to(front)) {
                assertThat(late.isEnded()).isTrue();
            }
            mortal.restart();
            try (RawClient next = RawClient.to(front)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** Refused connections fail at once while older ones live on, and the port is the same afterwards. */
    @Test
    void refuse_thenAccept() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.refuse();
            assertThatThrownBy(() -> RawClient.to(proxy)).isInstanceOf(ConnectException.class);
            assertThat(client.call("PING")).isEqualTo("+PONG");
            proxy.accept();
            try (RawClient next = RawClient.to(proxy)) {
                assertThat(next.call("PING")).isEqualTo("+PONG");
            }
        }
    }

    /** In a black hole the server hears nothing; when it heals, what was sent arrives, as TCP would have it. */
    @Test
    void blackHole_requests() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.blackHole(Direction.REQUESTS);
            client.send("SET", "key", "value");
            await().until(() -> proxy.commands("SET") == 1);
            client.expectSilence();
            assertThat(server.keys()).isEmpty();
            proxy.heal();
            assertThat(client.line()).isEqualTo("+OK");
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /** With the way back in a black hole the server acts, but the client does not hear of it until it heals. */
    @Test
    void blackHole_replies() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.blackHole(Direction.REPLIES);
            client.send("SET", "key", "value");
            await().until(() -> server.keys().contains("key"));
            client.expectSilence();
            proxy.heal();
            assertThat(client.line()).isEqualTo("+OK");
        }
    }

    /** A black hole holds for connections that are made in it, and swallows what a reset client had under way. */
    @Test
    void blackHole_newAndResetConnections() throws IOException {
        proxy.blackHole();
        try (RawClient client = RawClient.to(proxy)) {
            client.send("SET", "key", "value");
            client.expectSilence();
            client.reset();
            await().until(() -> proxy.connections().isEmpty());
            assertThat(server.clients()).hasSize(1);
            proxy.heal();
            await().until(() -> server.clients().isEmpty());
            assertThat(server.keys()).isEmpty();
        }
    }

    /** What is dropped never arrives. */
    @Test
    void drop_requests() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.drop(Direction.REQUESTS);
            client.send("SET", "lost", "value");
            await().until(() -> proxy.commands("SET") == 1);
            proxy.heal();
            assertThat(client.call("SET", "key", "value")).isEqualTo("+OK");
            assertThat(server.keys()).containsExactly("key");
        }
    }

    /** The next reply is lost after the server has acted, and only that one. */
    @Test
    void swallowNextReply_once() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.swallowNextReply();
            client.send("SET", "key", "value");
            await().until(() -> proxy.lostReplies() == 1);
            assertThat(server.keys()).containsExactly("key");
            assertThat(client.call("PING")).isEqualTo("+PONG");
        }
    }

    /** The reply to a certain request is lost, whichever connection sends it and whatever is sent around it. */
    @Test
    void swallowReplyTo_needle() throws IOException {
        try (RawClient first = RawClient.to(proxy);
                RawClient second = RawClient.to(proxy)) {
            proxy.swallowReplyTo("marked");
            assertThat(first.call("SET", "other", "1")).isEqualTo("+OK");
            second.send("INCR", "n");
            second.send("SET", "marked", "1");
            second.send("INCR", "n");
            assertThat(second.line()).isEqualTo(":1");
            assertThat(second.line()).isEqualTo(":2");
            assertThat(server.keys()).containsExactly("marked", "n", "other");
            assertThat(first.call("SET", "marked", "2")).isEqualTo("+OK");
        }
    }

    /** Messages of a subscription are not taken for the reply that is to be lost. */
    @Test
    void swallowNextReply_amongMessages() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            client.send("SUBSCRIBE", "news");
            client.skip("*3", "$9", "subscribe", "$4", "news", ":1");
            proxy.swallowNextReply();
            server.command("PUBLISH", "news", "extra");
            client.skip("*3", "$7", "message", "$4", "news", "$5", "extra");
            client.send("PING");
            await().until(() -> proxy.lostReplies() == 1);
            server.command("PUBLISH", "news", "again");
            client.skip("*3", "$7", "message", "$4", "news", "$5", "again");
        }
    }

    /** The confirmation of a subscription can be lost; the subscription is there. */
    @Test
    void swallowReplyTo_subscribe() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.swallowReplyTo("SUBSCRIBE");
            client.send("SUBSCRIBE", "a", "b");
            await().until(() -> proxy.lostReplies() == 2);
            assertThat(server.channels()).containsExactly("a", "b");
            server.command("PUBLISH", "b", "0");
            client.skip("*3", "$7", "message", "$1", "b", "$1", "0");
        }
    }

    /** A connection that dies instead of answering leaves the deed done. */
    @Test
    void cutInsteadOfReplyTo_serverHasActed() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.cutInsteadOfReplyTo("marked");
            assertThat(client.call("PING")).isEqualTo("+PONG");
            client.send("SET", "marked", "1");
            assertThatThrownBy(client::line).isInstanceOf(SocketException.class);
            assertThat(server.keys()).containsExactly("marked");
        }
    }

    /** A rule that was not used is forgotten when the proxy heals. */
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

    /** Held requests are delivered after their client has gone, in whichever way. */
    @Test
    @SuppressWarnings("try") // closing early is what is tested
    void holdRequests_lateBytesOfDeadClients() throws IOException {
        try (RawClient closing = RawClient.to(proxy);
                RawClient resetting = RawClient.to(proxy);
                RawClient cut = RawClient.to(proxy)) {
            proxy.holdRequests();
            for (RawClient client : List.of(closing, resetting, cut)) {
                client.send("INCR", "n");
            }
            await().until(() -> proxy.commands("INCR") == 3);
            closing.close();
            resetting.reset();
            await().until(() -> proxy.connections().size() == 1);
            proxy.cutRst();
            assertThatThrownBy(cut::line).isInstanceOf(SocketException.class);
            assertThat(server.keys()).isEmpty();
            assertThat(server.clients()).hasSize(3);
            proxy.releaseRequests();
            await().until(() -> "3".equals(server.command("GET", "n")));
            await().until(() -> server.clients().isEmpty());
        }
    }

    /** Faults can concern the connections that match, and no others. */
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

    /** A slow or frozen server does not keep the proxy from carrying out what it is told. */
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
            await().atMost(ProcessChecks.PATIENCE).until(() -> proxyThreads() == threads - 1);
        }
    }

    private static long proxyThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-fault-proxy"))
                .count();
    }
}
