package dev.holdfast.redis;

/**
 * Writes what follows a command's name. Called on the I/O thread when the command leaves, and a second time if the server
 * did not know the script: it must be quick, must not block, and writes the same each time.
 */
@FunctionalInterface
public interface ArgumentWriter {
    /** Writes them. */
    void writeTo(RespWriter frame);
}
