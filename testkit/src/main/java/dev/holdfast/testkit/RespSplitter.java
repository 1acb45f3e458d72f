package dev.holdfast.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of RESP2 or RESP3 bytes, arriving in pieces of any size, into frames. Parses only as much as that
 * requires: how many bytes follow a header, and how many values. Not safe for use by several threads.
 */
final class RespSplitter {
    private byte[] buffer = new byte[256];
    /** Bytes in the buffer; the frame being read starts at 0. */
    private int filled;
    /** Where the next value of the frame starts. */
    private int scanned;
    /** Values the frame still lacks. */
    private long missing = 1;

    /** Adds bytes that have arrived. */
    void feed(byte[] bytes) {
        if (filled + bytes.length > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, filled + bytes.length));
        }
        System.arraycopy(bytes, 0, buffer, filled, bytes.length);
        filled += bytes.length;
    }

    /** {@return the next frame, or null until more bytes have arrived} */
    @Nullable
    RespFrame next() {
        while (missing > 0) {
            int body = afterLine();
            if (body < 0) {
                return null;
            }
            long count = count(body);
            long end = body + bodyLength(count);
            if (end > filled) {
                return null;
            }
            missing += children(count) - 1;
            scanned = Math.toIntExact(end);
        }
        return new RespFrame(take(scanned));
    }

    /** {@return the bytes of a frame that will not be completed, and discards them} */
    byte[] takeRest() {
        return take(filled);
    }

    private byte[] take(int length) {
        byte[] taken = Arrays.copyOf(buffer, length);
        System.arraycopy(buffer, length, buffer, 0, filled - length);
        filled -= length;
        scanned = 0;
        missing = 1;
        return taken;
    }

    private int afterLine() {
        for (int at = scanned; at < filled; at++) {
            if (buffer[at] == '\n') {
                return at + 1;
            }
        }
        return -1;
    }

    /** The number in a header; -1 stands for nil, and for text that is no number, as in an inline command. */
    private long count(int lineEnd) {
        String header = new String(buffer, scanned + 1, lineEnd - scanned - 1, StandardCharsets.ISO_8859_1).trim();
        try {
            return Long.parseLong(header);
        } catch (NumberFormatException noCount) {
            return -1;
        }
    }

    private long bodyLength(long count) {
        return switch (buffer[scanned]) {
            case '$', '!', '=' -> count < 0 ? 0 : count + 2;
            default -> 0;
        };
    }

    /** An attribute is followed by the value it describes, and both travel together. */
    private long children(long count) {
        long known = Math.max(count, 0);
        return switch (buffer[scanned]) {
            case '*', '~', '>' -> known;
            case '%' -> 2 * known;
            case '|' -> 2 * known + 1;
            default -> 0;
        };
    }
}
