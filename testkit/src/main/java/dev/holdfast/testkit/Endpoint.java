package dev.holdfast.testkit;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, with the credentials and the database that it requires. Exceptions and descriptions have no part
 * of a URI that may be a password.
 */
record Endpoint(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database) {
    private static final int DEFAULT_PORT = 6379;
    private static final String RULE = "the URI of a test server must be redis://host:port";

    static Endpoint local(int port, @Nullable String password) {
        return new Endpoint("127.0.0.1", port, null, password, 0);
    }

    /** Reads {@code redis://[user:][password@]host[:port][/database]}. */
    static Endpoint parse(String uri) {
        URI parsed = parsed(uri);
        if (!"redis".equals(parsed.getScheme()) || parsed.getHost() == null) {
            throw new IllegalArgumentException(RULE + ", had another scheme or no host");
        }
        String user = null;
        String password = null;
        String userInfo = parsed.getRawUserInfo();
        if (userInfo != null) {
            int colon = userInfo.indexOf(':');
            user = colon > 0 ? decoded(userInfo.substring(0, colon)) : null;
            password = decoded(userInfo.substring(colon + 1));
        }
        int port = parsed.getPort() < 0 ? DEFAULT_PORT : parsed.getPort();
        return new Endpoint(parsed.getHost(), port, user, password, database(parsed.getPath()));
    }

    /** The exception of the parser would quote the URI. */
    private static URI parsed(String uri) {
        try {
            return new URI(uri);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(RULE + "; at index " + e.getIndex() + ": " + e.getReason());
        }
    }

    private static int database(@Nullable String path) {
        if (path == null || path.length() < 2) {
            return 0;
        }
        if (!path.matches("/\\d{1,9}")) {
            throw new IllegalArgumentException(RULE + "/database, with a number as the database");
        }
        return Integer.parseInt(path.substring(1));
    }

    /** {@return the same server, reached through another local port} */
    Endpoint through(int localPort) {
        return new Endpoint("127.0.0.1", localPort, user, password, database);
    }

    String uri() {
        StringBuilder uri = new StringBuilder("redis://");
        if (password != null) {
            uri.append(user == null ? "" : encoded(user))
                    .append(':')
                    .append(encoded(password))
                    .append('@');
        }
        return uri.append(address()).toString();
    }

    private String address() {
        String address = host + ":" + port;
        return database == 0 ? address : address + "/" + database;
    }

    /** {@return the URI without the credentials} */
    @Override
    public String toString() {
        return "redis://" + address();
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
