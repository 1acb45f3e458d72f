package dev.holdfast.testkit;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The address of a server, with the credentials and the database that it requires. */
record Endpoint(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database) {
    private static final int DEFAULT_PORT = 6379;

    static Endpoint local(int port, @Nullable String password) {
        return new Endpoint("127.0.0.1", port, null, password, 0);
    }

    /** Reads {@code redis://[user:][password@]host[:port][/database]}. */
    static Endpoint parse(String uri) {
        URI parsed = URI.create(uri);
        if (!"redis".equals(parsed.getScheme()) || parsed.getHost() == null) {
            throw new IllegalArgumentException("the URI of a test server must be redis://host:port, was " + uri);
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
        String path = parsed.getPath();
        int database = path == null || path.length() < 2 ? 0 : Integer.parseInt(path.substring(1));
        return new Endpoint(parsed.getHost(), port, user, password, database);
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
        uri.append(host).append(':').append(port);
        return database == 0 ? uri.toString() : uri.append('/').append(database).toString();
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
