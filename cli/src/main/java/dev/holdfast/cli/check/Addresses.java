package dev.holdfast.cli.check;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;

/** The addresses of servers, and what belongs to them. */
final class Addresses {
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
}
