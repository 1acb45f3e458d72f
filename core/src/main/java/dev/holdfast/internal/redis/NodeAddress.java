package dev.holdfast.internal.redis;

/**
 * The address of a Redis node.
 *
 * @param host a name or an IP address, without brackets
 */
public record NodeAddress(String host, int port) {
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
