package dev.holdfast.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.ByteArrayOutputStream;

/** The first bulk strings of a command, encoded once: its name, and for a script the script's SHA or source. */
final class CommandPrefix {
    final ProtocolKeyword type;

    /** The number of bulk strings. */
    final int words;

    /** The bulk strings as they are sent, concatenated; not to be modified. */
    final byte[] encoded;

    private CommandPrefix(ProtocolKeyword type, byte[]... further) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        write(all, type.getBytes());
        for (byte[] word : further) {
            write(all, word);
        }
        this.type = type;
        this.words = 1 + further.length;
        this.encoded = all.toByteArray();
    }

    private static void write(ByteArrayOutputStream all, byte[] word) {
        all.writeBytes(("$" + word.length + "\r\n").getBytes(US_ASCII));
        all.writeBytes(word);
        all.writeBytes("\r\n".getBytes(US_ASCII));
    }

    static CommandPrefix of(ProtocolKeyword type, byte[]... further) {
        return new CommandPrefix(type, further);
    }
}
