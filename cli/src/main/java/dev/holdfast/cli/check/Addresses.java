package dev.holdfast.cli.check;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.List;
import java.util.stream.Stream;

/** What the addresses of servers consist of. */
final class Addresses {
    /** That of the JDK, for seconds. */
    private static final int DEFAULT_CACHE = 30;

    private Addresses() {}

    static String of(RedisURI uri) {
        return uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : "unix:" + uri.getSocket();
    }

    /** {@return the user, as ACL rules name it} */
    static String user(RedisURI uri) {
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().toFuture().join();
        return credentials != null && credentials.hasUsername() ? credentials.getUsername() : "default";
    }

    /** {@return a server with the credentials and the options of an address} */
    static RedisURI beside(RedisURI uri, String host, int port) {
        return RedisURI.builder()
                .withHost(host)
                .withPort(port)
                .withSsl(uri)
                .withAuthentication(uri)
                .withDatabase(uri.getDatabase())
                .build();
    }

    static List<Lookup> lookups(List<RedisURI> uris) {
        return uris.stream()
                .flatMap(uri -> uri.getSentinels().isEmpty() ? Stream.of(uri) : uri.getSentinels().stream())
                .filter(uri -> uri.getSocket() == null)
                .map(RedisURI::getHost)
                .distinct()
                .map(Addresses::lookup)
                .toList();
    }

    private static Lookup lookup(String host) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            return new Lookup(host, List.of(), 0);
        }
        try {
            return new Lookup(
                    host,
                    Stream.of(InetAddress.getAllByName(host))
                            .map(InetAddress::getHostAddress)
                            .toList(),
                    cacheSeconds());
        } catch (UnknownHostException e) {
            return new Lookup(host, List.of("nothing"), cacheSeconds());
        }
    }

    /** As the JDK reads it. */
    private static int cacheSeconds() {
        String seconds = Security.getProperty("networkaddress.cache.ttl");
        if (seconds == null) {
            seconds = System.getProperty("sun.net.inetaddr.ttl");
        }
        try {
            return seconds == null ? DEFAULT_CACHE : Integer.parseInt(seconds.strip());
        } catch (NumberFormatException e) {
            return DEFAULT_CACHE;
        }
    }
}
