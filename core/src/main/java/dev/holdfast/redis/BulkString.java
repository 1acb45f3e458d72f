package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A word of a command, such as a key, that is sent many times and encoded once. */
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

    /** {@return the word for these bytes} */
    public static BulkString of(byte[] bytes) {
        return new BulkString(bytes);
    }

    /** {@return the word for this text, in UTF-8} */
    public static BulkString of(String text) {
        return new BulkString(text.getBytes(UTF_8));
    }

    /** {@return the bytes it stands for, in an array of their own} */
    public byte[] bytes() {
        return Arrays.copyOfRange(encoded, start, encoded.length - LINE_END);
    }

    /** {@return length, bytes and line end, as they go over the wire; not to be changed} */
    byte[] encoded() {
        return encoded;
    }

    @Override
    public String toString() {
        return new String(encoded, start, encoded.length - LINE_END - start, UTF_8);
    }
}
