package dev.holdfast.cli.check;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.ProtocolKeyword;

/** The name of a command, which the driver need not know. */
record Word(String word) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
        return word.getBytes(US_ASCII);
    }

    @Override
    public String toString() {
        return word;
    }
}
