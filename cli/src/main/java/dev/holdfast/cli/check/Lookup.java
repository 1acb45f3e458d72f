package dev.holdfast.cli.check;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a host of the address leads to.
 *
 * @param addresses what the name leads to; empty if it is an address itself
 * @param seconds how long the driver uses them; empty if no name server was asked
 */
record Lookup(String host, List<String> addresses, OptionalLong seconds) {
    Lookup {
        addresses = List.copyOf(addresses);
    }
}
