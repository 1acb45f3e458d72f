package dev.holdfast.cli.check;

import java.util.List;

/**
 * What a host of the address leads to.
 *
 * @param addresses those of the name server; empty if it is an address itself
 * @param cacheSeconds how long a JVM on this machine uses them, negative for ever
 */
record Lookup(String host, List<String> addresses, int cacheSeconds) {
    Lookup {
        addresses = List.copyOf(addresses);
    }
}
