package dev.holdfast.internal.session;

import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The URIs by which users name Redis: those of one server, of several nodes of a cluster, or of sentinels. */
public final class ServerUris {
    /** The scheme, the credentials, the addresses, and the rest. Commas divide addresses, and nothing else. */
    private static final Pattern LIST = Pattern.compile("^(rediss?://)((?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$");

    private ServerUris() {}

    /**
     * {@return one URI for each address in the text, all with the same credentials, database and options; one alone for
     * sentinels, which have a list of their own}
     *
     * @throws RuntimeException of the driver, if the text is malformed; its message may repeat the text
     */
    public static List<RedisURI> parse(String text) {
        Matcher several = LIST.matcher(text);
        if (!several.matches()) {
            return List.of(RedisURI.create(text));
        }
        List<RedisURI> uris = new ArrayList<>();
        for (String address : several.group(3).split(",", -1)) {
            RedisURI uri = RedisURI.create(several.group(1) + several.group(2) + address + several.group(4));
            requireHost(uri.getHost());
            uris.add(uri);
        }
        return List.copyOf(uris);
    }

    /** The driver takes what has no port number after its colon for the name of a host. */
    private static void requireHost(String host) {
        if (host.contains(":") && !host.startsWith("[")) {
            throw new IllegalArgumentException("an address is a host and a port number, was " + host);
        }
    }

    /** {@return whether the URI names sentinels, which are asked for the master} */
    public static boolean isSentinel(RedisURI uri) {
        return !uri.getSentinels().isEmpty();
    }

    /** {@return the addresses, without credentials, as in {@code a:7000,b:7001}} */
    public static String addresses(List<RedisURI> uris) {
        return uris.stream().map(ServerUris::address).collect(Collectors.joining(","));
    }

    /** {@return the address, or the path of a socket; of sentinels, the addresses of all, and the name of the master} */
    public static String address(RedisURI uri) {
        if (isSentinel(uri)) {
            return addresses(uri.getSentinels()) + "#" + uri.getSentinelMasterId();
        }
        return uri.getSocket() == null
                ? uri.getHost().toLowerCase(Locale.ROOT) + ":" + uri.getPort()
                : "unix:" + uri.getSocket();
    }
}
