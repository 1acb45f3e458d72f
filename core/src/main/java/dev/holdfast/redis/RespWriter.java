package dev.holdfast.redis;

import io.netty.buffer.ByteBuf;

/**
 * Writes one command as Redis reads it, an array of words, straight into the buffer that is sent. No word is a string or
 * an array first, if it is a number or was encoded before.
 */
public final class RespWriter {
    private static final int MOST_DIGITS = 19;

    /** A number has as many digits as there are powers of ten up to it, and one more. */
    private static final long[] POWERS = new long[MOST_DIGITS];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < MOST_DIGITS; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private final ByteBuf out;
    private int missing;

    /** Begins a command of so many words. */
    RespWriter(ByteBuf out, int words) {
        this.out = out;
        this.missing = words;
        header('*', words);
    }

    /** Writes a word that was encoded before. */
    public RespWriter word(BulkString word) {
        out.writeBytes(word.encoded());
        missing--;
        return this;
    }

    /** Writes these bytes as a word. */
    public RespWriter word(byte[] bytes) {
        header('$', bytes.length);
        out.writeBytes(bytes);
        endLine();
        missing--;
        return this;
    }

    /** Writes a number as a word, in decimal. */
    public RespWriter number(long number) {
        header('$', length(number));
        decimal(number);
        endLine();
        missing--;
        return this;
    }

    /** Writes what a command begins with. */
    RespWriter head(CommandPrefix head) {
        out.writeBytes(head.encoded());
        missing -= head.words();
        return this;
    }

    /**
     * Ends the command. A connection on which it has fewer or more words than it said cannot be used any more.
     *
     * @throws IllegalStateException if that is so
     */
    void end() {
        if (missing != 0) {
            throw new IllegalStateException(
                    "a command must have the words it says it has, and " + missing + " are missing");
        }
    }

    private void header(char type, int count) {
        out.writeByte(type);
        decimal(count);
        endLine();
    }

    private void endLine() {
        out.writeShort('\r' << 8 | '\n');
    }

    /** From the last digit to the first, the rest being negative, since the least number has no positive twin. */
    private void decimal(long number) {
        int length = length(number);
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
