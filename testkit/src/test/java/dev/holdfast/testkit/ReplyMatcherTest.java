package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The request that each frame answers; messages in between answer none. */
final class ReplyMatcherTest {
    private final ReplyMatcher matcher = new ReplyMatcher();

    /** Replies are matched to requests in order; a surplus one has no request. */
    @Test
    void ordinary_inOrder() {
        send("GET", "a");
        send("DEL", "b");
        assertThat(answer("$-1\r\n")).isEqualTo("get");
        assertThat(answer(":1\r\n")).isEqualTo("del");
        assertThat(answer("-ERR max number of clients reached\r\n")).isNull();
    }

    /** Messages of RESP3 between a request and its reply are not mistaken for the reply. */
    @Test
    void push_resp3() {
        send("HELLO", "3");
        send("GET", "a");
        assertThat(answer("%0\r\n")).isEqualTo("hello");
        assertThat(answer(">3\r\n+message\r\n+c\r\n+0\r\n")).isNull();
        assertThat(answer(array('>', "message", "c", "0"))).isNull();
        assertThat(answer(array('>', "invalidate", "c"))).isNull();
        assertThat(answer("$1\r\nx\r\n")).isEqualTo("get");
    }

    /** Messages of RESP2 are recognized by their first string, on a subscribed connection only. */
    @Test
    void message_resp2() {
        send("LRANGE", "list", "0", "-1");
        assertThat(answer(array('*', "message", "c", "0"))).isEqualTo("lrange");
        send("SUBSCRIBE", "c");
        assertThat(answer(array('*', "subscribe", "c"))).isEqualTo("subscribe");
        send("PING");
        assertThat(answer(array('*', "message", "c", "0"))).isNull();
        assertThat(answer(array('*', "pong", ""))).isEqualTo("ping");
    }

    /** In RESP3 an array is never a message, not even on a subscribed connection. */
    @Test
    void array_resp3Subscribed() {
        send("HELLO", "3");
        answer("%0\r\n");
        send("SUBSCRIBE", "c");
        assertThat(answer(array('>', "subscribe", "c"))).isEqualTo("subscribe");
        send("LRANGE", "list", "0", "-1");
        assertThat(answer(array('*', "message", "c", "0"))).isEqualTo("lrange");
    }

    /** A subscription to several channels is answered once for each, and a refused one by its error. */
    @Test
    void subscription_severalChannels() {
        send("SUBSCRIBE", "a", "b");
        send("PING");
        assertThat(answer(array('*', "subscribe", "a"))).isEqualTo("subscribe");
        assertThat(answer(array('*', "message", "a", "0"))).isNull();
        assertThat(answer(array('*', "subscribe", "b"))).isEqualTo("subscribe");
        assertThat(answer("+PONG\r\n")).isEqualTo("ping");
        send("SUBSCRIBE", "forbidden");
        send("PING");
        assertThat(answer("-NOPERM\r\n")).isEqualTo("subscribe");
        assertThat(answer("+PONG\r\n")).isEqualTo("ping");
    }

    /** An unsubscription from all channels takes any number of replies; the next request gets its own. */
    @Test
    void unsubscription_ofAll() {
        send("SUBSCRIBE", "a", "b");
        answer(array('*', "subscribe", "a"));
        answer(array('*', "subscribe", "b"));
        send("UNSUBSCRIBE");
        send("SUBSCRIBE", "c");
        send("GET", "k");
        assertThat(answer(array('*', "unsubscribe", "a"))).isEqualTo("unsubscribe");
        assertThat(answer(array('*', "unsubscribe", "b"))).isEqualTo("unsubscribe");
        assertThat(answer(array('*', "subscribe", "c"))).isEqualTo("subscribe");
        assertThat(answer("$-1\r\n")).isEqualTo("get");
    }

    /** A request is returned with its reply, including the rule that claimed it. */
    @Test
    void rule_isReturned() {
        ReplyRule rule = new ReplyRule(ReplyRule.Fate.SWALLOW, "a");
        matcher.request(frame(new String(RespConnection.encoded("GET", "a"), StandardCharsets.UTF_8)), rule);
        ReplyMatcher.Request answered = matcher.answeredBy(frame("$-1\r\n"));
        assertThat(answered).isNotNull().extracting(ReplyMatcher.Request::rule).isSameAs(rule);
    }

    private void send(String... words) {
        matcher.request(frame(new String(RespConnection.encoded(words), StandardCharsets.UTF_8)), null);
    }

    private @Nullable String answer(String reply) {
        ReplyMatcher.Request request = matcher.answeredBy(frame(reply));
        return request == null ? null : request.name();
    }

    private static String array(char type, String... words) {
        return type + new String(RespConnection.encoded(words), StandardCharsets.UTF_8).substring(1);
    }

    private static RespFrame frame(String text) {
        return new RespFrame(text.getBytes(StandardCharsets.UTF_8));
    }
}
