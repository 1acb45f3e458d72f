package dev.holdfast.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.protocol.CommandType;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a server names one of its connections. Ids start over when a server restarts, so an id alone could be a
 * stranger's by now; together with the address it is ours.
 */
record ServerSideName(String id, String address) {
    private static final Logger log = LoggerFactory.getLogger(ServerSideName.class);
    private static final Pattern CLIENT_INFO = Pattern.compile("\\bid=(\\d+) addr=(\\S+)");

    /** {@return the name in a line of {@code CLIENT INFO}, or null if it has none} */
    static @Nullable ServerSideName parse(String clientInfo) {
        Matcher found = CLIENT_INFO.matcher(clientInfo);
        return found.find() ? new ServerSideName(found.group(1), found.group(2)) : null;
    }

    /** {@return the command after which the server runs nothing more of this connection} */
    Call kill() {
        return Call.of(CommandType.CLIENT, ServerSideName::noteKilled, words("KILL", "ID", id, "ADDR", address));
    }

    private static void noteKilled(Call kill) {
        if (kill.outcome() == Call.Outcome.REFUSED) {
            log.info(
                    "The last connection could not be fenced off; commands of it may still run late. Grant +client|kill"
                            + " to exclude that: {}",
                    kill.error());
        }
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(US_ASCII);
        }
        return bytes;
    }
}
