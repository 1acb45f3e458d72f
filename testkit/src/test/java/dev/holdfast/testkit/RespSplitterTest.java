package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames are found wherever the network has split the stream. */
final class RespSplitterTest {
    private final RespSplitter splitter = new RespSplitter();

    /** Every kind of value, fed byte by byte, is complete with its last byte and not before. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "-ERR no\r\n",
                ":42\r\n",
                "$5\r\nhello\r\n",
                "$0\r\n\r\n",
                "$-1\r\n",
                "$4\r\n\r\n\r\n\r\n",
                "*0\r\n",
                "*-1\r\n",
                "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n",
                "*3\r\n:1\r\n*2\r\n+a\r\n*0\r\n$1\r\nb\r\n",
                "_\r\n",
                ",3.25\r\n",
                "#t\r\n",
                "(12345678901234567890\r\n",
                "!9\r\nERR wrong\r\n",
                "=7\r\ntxt:yes\r\n",
                "~2\r\n+a\r\n+b\r\n",
                "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
                ">2\r\n$7\r\nmessage\r\n$1\r\nc\r\n",
                "|1\r\n+ttl\r\n:5\r\n*1\r\n+value\r\n",
                "PING\r\n"
            })
    void next_byteByByte(String frame) {
        byte[] bytes = bytes(frame);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(splitter.next()).as("after %s bytes", i).isNull();
            splitter.feed(new byte[] {bytes[i]});
        }
        assertThat(texts()).containsExactly(frame);
        assertThat(splitter.takeRest()).isEmpty();
    }

    /** Several frames in one piece are returned one by one, and an incomplete one waits for the rest of it. */
    @Test
    void next_severalAtOnce() {
        splitter.feed(bytes("+OK\r\n*1\r\n$4\r\nPING\r\n:1\r\n$10\r\nhal"));
        assertThat(texts()).containsExactly("+OK\r\n", "*1\r\n$4\r\nPING\r\n", ":1\r\n");
        splitter.feed(bytes("f-frame\r\n"));
        assertThat(texts()).containsExactly("$10\r\nhalf-frame\r\n");
    }

    /** A frame larger than any buffer is one frame. */
    @Test
    void next_large() {
        String frame = "$100000\r\n" + "x".repeat(100_000) + "\r\n";
        splitter.feed(bytes(frame.substring(0, 70_000)));
        assertThat(splitter.next()).isNull();
        splitter.feed(bytes(frame.substring(70_000)));
        assertThat(texts()).containsExactly(frame);
    }

    /** The bytes of a frame that will never be complete can be taken, once. */
    @Test
    void takeRest_incompleteFrame() {
        splitter.feed(bytes("*2\r\n+a\r\n"));
        assertThat(splitter.next()).isNull();
        assertThat(splitter.takeRest()).isEqualTo(bytes("*2\r\n+a\r\n"));
        splitter.feed(bytes("+b\r\n"));
        assertThat(texts()).containsExactly("+b\r\n");
    }

    private List<String> texts() {
        List<String> texts = new ArrayList<>();
        for (RespFrame frame = splitter.next(); frame != null; frame = splitter.next()) {
            texts.add(new String(frame.bytes(), StandardCharsets.ISO_8859_1));
        }
        return texts;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
