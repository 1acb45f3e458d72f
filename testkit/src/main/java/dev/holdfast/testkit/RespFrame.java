package dev.holdfast.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One complete RESP value with all that is nested in it, or one inline command: the unit a proxy forwards or loses. */
final class RespFrame {
    private final byte[] bytes;

    RespFrame(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] bytes() {
        return bytes;
    }

    /** {@return the first byte, which is the type of this value} */
    char type() {
        return (char) bytes[0];
    }

    /** {@return whether these bytes occur in this frame's} */
    boolean contains(String text) {
        String needle = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return latin1(0, bytes.length).contains(needle);
    }

    /** {@return the leading strings of an array: a command and its arguments, or a message's kind and channel} */
    List<String> words() {
        if (type() != '*' && type() != '>') {
            return List.of(latin1(0, bytes.length).trim().split(" +"));
        }
        List<String> words = new ArrayList<>();
        int at = afterLine(0);
        while (at < bytes.length && bytes[at] == '$') {
            int start = afterLine(at);
            int length = Integer.parseInt(latin1(at + 1, start).trim());
            if (length < 0) {
                break;
            }
            words.add(latin1(start, start + length));
            at = start + length + 2;
        }
        return words;
    }

    private int afterLine(int from) {
        int at = from;
        while (bytes[at] != '\n') {
            at++;
        }
        return at + 1;
    }

    private String latin1(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
