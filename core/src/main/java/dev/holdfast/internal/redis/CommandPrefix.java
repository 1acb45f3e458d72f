package dev.holdfast.internal.redis;

import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.ByteArrayOutputStream;

/** The first bulk strings of a command, encoded once: its name, and for a script the script's SHA or source. */
final class CommandPrefix {
    private final ProtocolKeyword type;
    private final int words;
    private final byte[] encoded;

    private CommandPrefix(ProtocolKeyword type, byte[]... further) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(BulkString.of(type.getBytes()).encoded());
        for (byte[] word : further) {
            all.writeBytes(BulkString.of(word).encoded());
        }
        this.type = type;
        this.words = 1 + further.length;
        this.encoded = all.toByteArray();
    }

    static CommandPrefix of(ProtocolKeyword type, byte[]... further) {
        return new CommandPrefix(type, further);
    }

    ProtocolKeyword type() {
        return type;
    }

    int words() {
        return words;
    }

    /** {@return the encoded bulk strings, concatenated; not to be modified} */
    byte[] encoded() {
        return encoded;
    }
}
