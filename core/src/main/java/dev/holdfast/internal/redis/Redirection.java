package dev.holdfast.internal.redis;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a node of a cluster redirects a command that is about keys of another node.
 *
 * @param slot of the keys
 * @param host empty if it is the host of the node that replied, as it is known here
 */
public record Redirection(Type type, int slot, String host, int port) {
    private static final Pattern ERROR = Pattern.compile("^(MOVED|ASK) (\\d{1,5}) (\\S*):(\\d{1,5})$");

    /** Whether it is about all commands from now on. */
    public enum Type {
        /** The slot belongs to that node. */
        MOVED,
        /** That node may have the keys of this command, since the slot is being moved there: it is to be asked once. */
        ASK
    }

    /** {@return the redirection in an error of Redis, or null if it is none} */
    static @Nullable Redirection parse(String error) {
        Matcher found = ERROR.matcher(error);
        if (!found.find()) {
            return null;
        }
        String host = found.group(3);
        return new Redirection(
                Type.valueOf(found.group(1)),
                Integer.parseInt(found.group(2)),
                host.equals("?") ? "" : host,
                Integer.parseInt(found.group(4)));
    }

    /**
     * {@return the node it names}
     *
     * @param by the node that replied
     */
    public NodeAddress to(NodeAddress by) {
        return new NodeAddress(host.isEmpty() ? by.host() : host, port);
    }
}
