package dev.holdfast.cli;

import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisHashCommands;
import io.lettuce.core.api.sync.RedisKeyCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the locks and the semaphores among the keys of a Redis, which the library has no call for: it needs a right that locks do
 * not need.
 */
final class LockScan implements AutoCloseable {
    /** The field of an owner: the id of its client, and its own; that of Redisson's writers has a suffix. No other field does so. */
    private static final Pattern OWNER =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}:-?\\d+(:write)?");

    /** The key of a semaphore begins so; its name follows, in braces unless it has one. */
    private static final String SEMAPHORE = "holdfast_semaphore:";

    private final Keys keys;
    private final Runnable closing;

    private LockScan(Keys keys, Runnable closing) {
        this.keys = keys;
        this.closing = closing;
    }

    /** The commands on all servers that have keys, one or the masters of a cluster. */
    private record Keys(RedisKeyCommands<String, String> scanned, RedisHashCommands<String, String> read) {}

    /** @param address one that {@link Clients} has found to be well-formed */
    static LockScan connect(String address) {
        List<RedisURI> uris = uris(address);
        RedisClient client = RedisClient.create();
        try {
            StatefulRedisConnection<String, String> connection = connectToAny(client, uris);
            if (!isCluster(connection)) {
                return new LockScan(new Keys(connection.sync(), connection.sync()), () -> shutDown(client));
            }
        } catch (RuntimeException e) {
            shutDown(client);
            throw e;
        }
        shutDown(client);
        return connectToCluster(uris);
    }

    /**
     * {@return one URI for each address, or that of the sentinels} The driver's messages repeat passwords.
     *
     * @param address one that {@link Clients} has found to be well-formed
     */
    static List<RedisURI> uris(String address) {
        try {
            return address.startsWith("redis-") || address.startsWith("rediss-") || !address.contains(",")
                    ? List.of(RedisURI.create(address))
                    : RedisClusterURIUtil.toRedisURIs(URI.create(address));
        } catch (RuntimeException e) {
            throw new UsageException("the address of Redis cannot be used to look for servers");
        }
    }

    private static StatefulRedisConnection<String, String> connectToAny(RedisClient client, List<RedisURI> uris) {
        RuntimeException failure = new IllegalArgumentException("no address");
        for (RedisURI uri : uris) {
            try {
                return client.connect(uri);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private static LockScan connectToCluster(List<RedisURI> uris) {
        RedisClusterClient client = RedisClusterClient.create(uris);
        try {
            StatefulRedisClusterConnection<String, String> connection = client.connect();
            return new LockScan(
                    new Keys(connection.sync(), connection.sync()),
                    () -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
        } catch (RuntimeException e) {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            throw e;
        }
    }

    /** A refusal says nothing of it, and is thrown: the keys of one node alone would pass for all that there are. */
    private static boolean isCluster(StatefulRedisConnection<String, String> connection) {
        return connection.sync().info("cluster").contains("cluster_enabled:1");
    }

    private static void shutDown(RedisClient client) {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    /** {@return the names that match the pattern, of locks that are held at the moment they are looked at, and of semaphores} */
    FoundNames find(NamePattern pattern) {
        KeyScanArgs hashes = KeyScanArgs.Builder.matches(pattern.ofKeys()).type("hash");
        hashes.limit(500);
        TreeSet<String> locks = new TreeSet<>();
        TreeSet<String> semaphores = new TreeSet<>();
        ScanIterator<String> scan = ScanIterator.scan(keys.scanned(), hashes);
        while (scan.hasNext()) {
            String key = scan.next();
            if (key.startsWith(SEMAPHORE)) {
                Optional.of(semaphore(key)).filter(pattern::matches).ifPresent(semaphores::add);
            } else if (pattern.matches(key) && isLock(key)) {
                locks.add(key);
            }
        }
        return new FoundNames(List.copyOf(locks), List.copyOf(semaphores));
    }

    private static String semaphore(String key) {
        String name = key.substring(SEMAPHORE.length());
        boolean isInBraces = name.lastIndexOf('{') == 0 && name.endsWith("}");
        return isInBraces ? name.substring(1, name.length() - 1) : name;
    }

    private boolean isLock(String key) {
        return keys.read().hkeys(key).stream().anyMatch(OWNER.asMatchPredicate());
    }

    @Override
    public void close() {
        closing.run();
    }
}
