package dev.holdfast.internal.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Writes one command in RESP, an array of bulk strings, directly into the buffer that is sent. Numbers and text are
 * written without an intermediate string or array.
 */
public final class RespWriter {
    private static final int MOST_DIGITS = 19;
    private static final int END_OF_LINE = '\r' << 8 | '\n';

    /** The powers of ten; a number has as many digits as there are powers up to it. */
    private static final long[] POWERS = new long[MOST_DIGITS];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < MOST_DIGITS; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private final ByteBuf out;
    private final Routing server;
    private int missing;

    /**
     * Begins a command of {@code words} bulk strings.
     *
     * @param server what is known of the server that it is sent to
     */
    RespWriter(ByteBuf out, int words, Routing server) {
        this.out = out;
        this.server = server;
        this.missing = words;
        header('*', words);
    }

    /** Writes this text as a bulk string, in UTF-8. */
    public RespWriter word(String text) {
        int length = ByteBufUtil.utf8Bytes(text);
        header('$', length);
        ByteBufUtil.reserveAndWriteUtf8(out, text, length);
        endLine();
        missing--;
        return this;
    }

    /** Writes these bytes as a bulk string. */
    public RespWriter word(byte[] bytes) {
        header('$', bytes.length);
        out.writeBytes(bytes);
        endLine();
        missing--;
        return this;
    }

    /** Writes a number as a bulk string, in decimal. */
    public RespWriter number(long number) {
        int digits = length(number);
        header('$', digits);
        decimal(number, digits);
        endLine();
        missing--;
        return this;
    }

    /** Writes the command that publishes a message at this server. */
    public RespWriter publish() {
        return word(server.isSharded() ? "SPUBLISH" : "PUBLISH");
    }

    /** Writes the subcommand of PUBSUB that counts the subscribers of a channel at this server. */
    public RespWriter numsub() {
        return word(server.isSharded() ? "SHARDNUMSUB" : "NUMSUB");
    }

    /** Writes the prefix of a command. */
    RespWriter head(CommandPrefix head) {
        out.writeBytes(head.encoded);
        missing -= head.words;
        return this;
    }

    /**
     * Ends the command. A connection on which a command has fewer or more bulk strings than declared is unusable.
     *
     * @throws IllegalStateException if the number written is not the number declared
     */
    void end() {
        if (missing != 0) {
            throw new IllegalStateException(
                    "a command must have the words it says it has, and " + missing + " are missing");
        }
    }

    private void header(char type, int count) {
        out.writeByte(type);
        decimal(count, length(count));
        out.writeShort(END_OF_LINE);
    }

    private void endLine() {
        out.writeShort(END_OF_LINE);
    }

    /**
     * Writes from the last digit to the first, with a negative rest, since {@link Long#MIN_VALUE} cannot be negated.
     */
    private void decimal(long number, int length) {
        out.ensureWritable(length);
        int start = out.writerIndex();
        long rest = number < 0 ? number : -number;
        for (int at = start + length - 1; rest != 0 || at == start + length - 1; at--) {
            out.setByte(at, (int) ('0' - rest % 10));
            rest /= 10;
        }
        if (number < 0) {
            out.setByte(start, '-');
        }
        out.writerIndex(start + length);
    }

    private static int length(long number) {
        if (number == Long.MIN_VALUE) {
            return 1 + MOST_DIGITS;
        }
        long magnitude = Math.abs(number);
        int digits = 1;
        while (digits < MOST_DIGITS && magnitude >= POWERS[digits]) {
            digits++;
        }
        return number < 0 ? digits + 1 : digits;
    }
}
