package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A RESP bulk string of a command, such as a key, that is encoded once and sent many times. */
public final class BulkString {
    private static final int LINE_END = 2;

    private final byte[] encoded;
    private final int start;

    private BulkString(byte[] bytes) {
        byte[] header = ("$" + bytes.length + "\r\n").getBytes(US_ASCII);
        encoded = Arrays.copyOf(header, header.length + bytes.length + LINE_END);
        start = header.length;
        System.arraycopy(bytes, 0, encoded, start, bytes.length);
        encoded[encoded.length - 2] = '\r';
        encoded[encoded.length - 1] = '\n';
    }

    /** {@return the bulk string of these bytes} */
    public static BulkString of(byte[] bytes) {
        return new BulkString(bytes);
    }

    /** {@return the bulk string of this text, in UTF-8} */
    public static BulkString of(String text) {
        return new BulkString(text.getBytes(UTF_8));
    }

    /** {@return a copy of the bytes, without length and line ends} */
    public byte[] bytes() {
        return Arrays.copyOfRange(encoded, start, encoded.length - LINE_END);
    }

    /** {@return length, bytes and line ends as sent to Redis; not to be modified} */
    byte[] encoded() {
        return encoded;
    }

    @Override
    public String toString() {
        return new String(encoded, start, encoded.length - LINE_END - start, UTF_8);
    }
}
