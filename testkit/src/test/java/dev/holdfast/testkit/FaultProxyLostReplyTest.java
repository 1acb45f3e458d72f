package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replies that are lost after the server has executed the request, as observed by a plain socket. */
final class FaultProxyLostReplyTest {
    @RegisterExtension
    final Fronted fronted = new Fronted();

    private final RedisServer server = fronted.server();
    private final FaultProxy proxy = fronted.proxy();

    /** The next reply is lost after the server has executed the request, and only that one. */
    @Test
    void swallowNextReply_once() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.swallowNextReply();
            client.send("SET", "key", "value");
            Eventually.await().until(() -> proxy.lostReplies() == 1);
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

    /** Messages of a subscription are not counted as the reply to lose. */
    @Test
    void swallowNextReply_amongMessages() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            client.send("SUBSCRIBE", "news");
            client.skip("*3", "$9", "subscribe", "$4", "news", ":1");
            proxy.swallowNextReply();
            server.command("PUBLISH", "news", "extra");
            client.skip("*3", "$7", "message", "$4", "news", "$5", "extra");
            client.send("PING");
            Eventually.await().until(() -> proxy.lostReplies() == 1);
            server.command("PUBLISH", "news", "again");
            client.skip("*3", "$7", "message", "$4", "news", "$5", "again");
        }
    }

    /** The confirmation of a subscription can be lost; the subscription is in effect. */
    @Test
    void swallowReplyTo_subscribe() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            proxy.swallowReplyTo("SUBSCRIBE");
            client.send("SUBSCRIBE", "a", "b");
            Eventually.await().until(() -> proxy.lostReplies() == 2);
            assertThat(server.channels()).containsExactly("a", "b");
            server.command("PUBLISH", "b", "0");
            client.skip("*3", "$7", "message", "$1", "b", "$1", "0");
        }
    }

    /** A request whose connection is cut instead of the reply has been executed. */
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

    /** The messages of a channel are lost, on all connections and until the end of the fault; nothing else is. */
    @Test
    void loseMessages_ofAChannel() throws IOException {
        try (RawClient client = RawClient.to(proxy)) {
            client.send("SUBSCRIBE", "grants", "news");
            client.skip("*3", "$9", "subscribe", "$6", "grants", ":1", "*3", "$9", "subscribe", "$4", "news", ":2");

            proxy.loseMessages(channel -> channel.equals("grants"));
            assertThat(server.command("PUBLISH", "grants", "lost")).isEqualTo(1L);
            server.command("PUBLISH", "news", "0");
            client.skip("*3", "$7", "message", "$4", "news", "$1", "0");

            proxy.heal();
            server.command("PUBLISH", "grants", "again");
            client.skip("*3", "$7", "message", "$6", "grants", "$5", "again");
        }
    }

    /** The messages can be lost on one connection alone. */
    @Test
    void loseMessages_ofOneConnection() throws IOException {
        try (RawClient first = RawClient.to(proxy);
                RawClient second = RawClient.to(proxy)) {
            first.send("SUBSCRIBE", "news");
            first.skip("*3", "$9", "subscribe", "$4", "news", ":1");
            Faults deaf = proxy.matching(connection -> connection.commands("SUBSCRIBE") > 0);
            second.send("SUBSCRIBE", "news");
            second.skip("*3", "$9", "subscribe", "$4", "news", ":1");

            deaf.loseMessages(channel -> true);
            server.command("PUBLISH", "news", "0");
            second.skip("*3", "$7", "message", "$4", "news", "$1", "0");
            // The reply follows the message on the same connection, so the message is lost by now.
            first.send("PING");
            first.skip("*2", "$4", "pong", "$0", "");

            deaf.heal();
            server.command("PUBLISH", "news", "1");
            first.skip("*3", "$7", "message", "$4", "news", "$1", "1");
        }
    }
}
