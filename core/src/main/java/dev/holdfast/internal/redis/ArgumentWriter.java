package dev.holdfast.internal.redis;

/**
 * Writes the arguments of a command. Called on the I/O thread when the command is written, and a second time if the
 * server did not know the script: it must be quick, must not block, and must write the same arguments each time.
 */
@FunctionalInterface
public interface ArgumentWriter {
    /** Writes the arguments. */
    void writeTo(RespWriter frame);
}
