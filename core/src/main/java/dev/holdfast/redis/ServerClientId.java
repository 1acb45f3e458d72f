package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a server names one of its connections. Ids start over when a server restarts, so an id alone could be a
 * stranger's by now; together with the address it is ours, if the address is no other connection's.
 */
record ServerClientId(String id, String address) {
    private static final Pattern CLIENT_INFO = Pattern.compile("\\bid=(\\d+) addr=(\\S+)");

    /** {@return the name in a line of {@code CLIENT INFO}, or null if it has none} */
    static @Nullable ServerClientId parse(String clientInfo) {
        Matcher found = CLIENT_INFO.matcher(clientInfo);
        return found.find() ? new ServerClientId(found.group(1), found.group(2)) : null;
    }

    /**
     * {@return whether nobody else's connection can have this name} Of a TCP connection the address has the port that it comes
     * from. All of a Unix domain socket have one address, that of the socket, with a port of 0.
     */
    boolean isUnique() {
        return !address.endsWith(":0");
    }

    /** {@return the command after which the server runs nothing more of this connection} */
    Call kill(Call.Callback caller) {
        return Call.of(
                CommandType.CLIENT, caller, ascii("KILL"), ascii("ID"), ascii(id), ascii("ADDR"), ascii(address));
    }

    private static byte[] ascii(String word) {
        return word.getBytes(US_ASCII);
    }
}
