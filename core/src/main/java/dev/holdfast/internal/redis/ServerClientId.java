package dev.holdfast.internal.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The id and address by which a server identifies one of its connections. Ids start over when a server restarts, so an
 * id alone could be another client's by now; together with the address it is this connection's, if the address is
 * unique.
 */
record ServerClientId(String id, String address) {
    private static final Pattern CLIENT_INFO = Pattern.compile("\\bid=(\\d+) addr=(\\S+)");

    /** {@return the id and address in a line of {@code CLIENT INFO}, or null if it has none} */
    static @Nullable ServerClientId parse(String clientInfo) {
        Matcher found = CLIENT_INFO.matcher(clientInfo);
        return found.find() ? new ServerClientId(found.group(1), found.group(2)) : null;
    }

    /**
     * {@return whether no other connection can have this id and address} The address of a TCP connection has its source
     * port. All connections over a Unix domain socket have the same address, that of the socket, with port 0.
     */
    boolean isUnique() {
        return !address.endsWith(":0");
    }
}
