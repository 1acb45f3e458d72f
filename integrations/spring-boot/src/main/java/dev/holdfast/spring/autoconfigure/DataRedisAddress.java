package dev.holdfast.spring.autoconfigure;

import dev.holdfast.HoldfastBuilder;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Cluster;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Node;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Sentinel;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;

/**
 * The address and the credentials of connection details of Spring Data Redis, in the form that the builder takes.
 *
 * @param details where the server is
 * @param tls whether to use TLS
 */
record DataRedisAddress(DataRedisConnectionDetails details, boolean tls) {
    private static final int DEFAULT_PORT = 6379;

    /** The details of properties name a single server in addition to sentinels or a cluster, so it comes last. */
    void applyTo(HoldfastBuilder builder) {
        Sentinel sentinel = details.getSentinel();
        Cluster cluster = details.getCluster();
        Standalone standalone = details.getStandalone();
        if (details.getMasterReplica() != null) {
            throw new HoldfastStartException(
                    "Holdfast does not support a static master with replicas (spring.data.redis.masterreplica.nodes): it"
                            + " names no server that is known to be the master.",
                    "Name sentinels or the nodes of a cluster instead, or set 'holdfast.redis-uri' to the address of"
                            + " the master.",
                    null);
        } else if (sentinel != null) {
            builder.redisUri(ofSentinels(sentinel));
        } else if (cluster != null) {
            builder.redisUri(ofNodes(cluster.getNodes()));
        } else if (standalone != null) {
            builder.redisUri(ofServer(standalone));
        } else {
            throw new HoldfastStartException(
                    "The connection details " + details + " name no Redis.",
                    "Set 'spring.data.redis.host' or 'holdfast.redis-uri'.",
                    null);
        }
    }

    private RedisURI ofServer(Standalone server) {
        RedisURI uri = RedisURI.create(server.getHost(), server.getPort() < 0 ? DEFAULT_PORT : server.getPort());
        uri.setDatabase(server.getDatabase());
        return withCredentials(uri);
    }

    private RedisURI ofSentinels(Sentinel sentinel) {
        RedisURI.Builder uri = RedisURI.builder();
        for (Node node : sentinel.getNodes()) {
            RedisURI address = RedisURI.create(node.host(), node.port());
            setCredentials(address, sentinel.getUsername(), sentinel.getPassword());
            uri.withSentinel(address);
        }
        return withCredentials(uri.withSentinelMasterId(sentinel.getMaster())
                .withDatabase(sentinel.getDatabase())
                .build());
    }

    private RedisURI withCredentials(RedisURI uri) {
        setCredentials(uri, details.getUsername(), details.getPassword());
        uri.setSsl(tls);
        return uri;
    }

    private static void setCredentials(RedisURI uri, @Nullable String username, @Nullable String password) {
        if (password != null) {
            uri.setCredentialsProvider(new StaticCredentialsProvider(username, password.toCharArray()));
        }
    }

    /** Only text can name several nodes. */
    private String ofNodes(List<Node> nodes) {
        return (tls ? "rediss://" : "redis://")
                + credentials()
                + nodes.stream().map(node -> node.host() + ":" + node.port()).collect(Collectors.joining(","));
    }

    private String credentials() {
        String password = details.getPassword();
        if (password == null) {
            return "";
        }
        String username = details.getUsername();
        return (username == null ? "" : encoded(username)) + ":" + encoded(password) + "@";
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
