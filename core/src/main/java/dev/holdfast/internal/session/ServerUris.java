package dev.holdfast.internal.session;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The URIs by which users name Redis: those of one server, of several nodes of a cluster, or of sentinels. A URI that is
 * malformed may have a password anywhere, and the driver's messages repeat their input; so nothing of it is repeated here.
 */
public final class ServerUris {
    /** The scheme, the credentials, the addresses, and the rest. Commas divide addresses, and nothing else. */
    private static final Pattern LIST = Pattern.compile("^(rediss?://)((?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$");

    private static final Set<String> SCHEMES = Set.of(
            "redis",
            "rediss",
            "redis+ssl",
            "redis+tls",
            "redis-sentinel",
            "rediss-sentinel",
            "redis-socket",
            "redis+socket");

    /** A host and a port, which may be missing. */
    private static final Pattern ADDRESS =
            Pattern.compile("(?:\\[[0-9A-Fa-f:.]+(?:%\\w+)?]|[\\p{L}\\p{N}._-]+)(?::\\d{1,5})?");

    /** The path, the parameters and the fragment. */
    private static final Pattern REST = Pattern.compile("(?:/\\d{0,9})?(?:\\?[^#]*)?(?:#.*)?");

    private static final String ENCODE =
            "the characters @ / ? # in a user name or a password must be percent-encoded," + " as %40 %2F %3F %23";

    private ServerUris() {}

    /**
     * {@return one URI for each address in the text, all with the same credentials, database and options; one alone for
     * sentinels, which have a list of their own}
     *
     * @throws IllegalArgumentException if the text is malformed; its message says why, and repeats nothing of the text
     */
    public static List<RedisURI> parse(String text) {
        requireShape(text);
        try {
            return parsed(text);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    e.getCause() instanceof URISyntaxException syntax
                            ? syntax.getReason() + " at index " + syntax.getIndex()
                            : "a part of it has a wrong value, perhaps a parameter after the ?");
        }
    }

    /**
     * Requires that it is clear which part is the password: a raw character in it could make the driver take the rest for the
     * address, which is shown.
     */
    private static void requireShape(String text) {
        int scheme = text.indexOf("://");
        if (scheme < 0 || !SCHEMES.contains(text.substring(0, scheme))) {
            throw new IllegalArgumentException("it begins with none of these schemes");
        }
        int authority = scheme + "://".length();
        int end = authority;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        int at = text.lastIndexOf('@');
        if (at >= end || at != text.indexOf('@')) {
            throw new IllegalArgumentException(ENCODE);
        }
        String addresses = text.substring(Math.max(authority, at + 1), end);
        if (text.substring(0, scheme).endsWith("socket")) {
            if (!addresses.isEmpty()) {
                throw new IllegalArgumentException("a socket has a path and no host; " + ENCODE);
            }
            return;
        }
        for (String address : addresses.split(",", -1)) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new IllegalArgumentException("an address is a host and a port number; " + ENCODE);
            }
        }
        if (!REST.matcher(text.substring(end)).matches()) {
            throw new IllegalArgumentException("after the addresses comes / and the number of a database; " + ENCODE);
        }
    }

    private static List<RedisURI> parsed(String text) {
        Matcher several = LIST.matcher(text);
        if (!several.matches()) {
            return List.of(created(text));
        }
        List<RedisURI> uris = new ArrayList<>();
        for (String address : several.group(3).split(",", -1)) {
            uris.add(created(several.group(1) + several.group(2) + address + several.group(4)));
        }
        return List.copyOf(uris);
    }

    /**
     * The driver asks its own provider of credentials on the common pool. There, connections would wait for the tasks of
     * others, and the reason why a server refuses them could be lost.
     */
    private static RedisURI created(String text) {
        RedisURI uri = RedisURI.create(text);
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().toFuture().join();
        uri.setCredentialsProvider(new StaticCredentialsProvider(credentials));
        return uri;
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
