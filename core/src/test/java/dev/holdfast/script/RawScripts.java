package dev.holdfast.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Patience;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Runs the scripts directly on a real server, without a client. */
final class RawScripts implements AutoCloseable {
    /** An owner of some client, and another of another client. */
    static final String OWNER = "6f8e:17";

    static final String OTHER = "b02c:17";

    /** The field of the label of the owner's client. */
    static final String LABEL = "6f8e:label";

    static final Duration LEASE = Duration.ofMinutes(1);

    /** The reply about another owner's lease without an end. */
    static final long ENDLESS = -(1L << 52);

    /** The channel of release messages here. */
    static final String CHANNEL = "raw scripts";

    private static final Map<String, String> SOURCES = new ConcurrentHashMap<>();

    /** The digest of each script that was loaded into this server. */
    private final Map<String, String> digests = new ConcurrentHashMap<>();

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    RedisServer server() {
        return server;
    }

    RedisCommands<String, String> redis() {
        return connection.sync();
    }

    /** {@return a name for a lock that no other test uses} */
    String newLock() {
        return "raw:" + UUID.randomUUID();
    }

    Object acquire(String lock, String owner, long tenure, int holds, Duration lease) {
        return run("acquire.lua", List.of(lock), owner, tenure, holds, lease.toMillis());
    }

    Object release(String lock, String owner, long tenure, int holds) {
        return run("release.lua", List.of(lock), owner, tenure, holds, CHANNEL, "PUBLISH");
    }

    /** Hands the lock off from one of these holds: owners, each followed by its tenure. */
    Object handoff(String lock, String owner, long tenure, Duration lease, Object... from) {
        Object[] to = {owner, tenure, lease.toMillis()};
        return run(
                "handoff.lua",
                List.of(lock),
                Stream.of(to, from).flatMap(Stream::of).toArray());
    }

    /** {@return the key of the lock's last token} */
    static String tokens(String lock) {
        return "tokens of " + lock;
    }

    /** {@link #acquire} of a fenced lock. {@return tenure and token, or a number} */
    Object acquireFenced(String lock, String owner, long tenure, int holds, Duration lease) {
        return run("acquire.lua", List.of(lock, tokens(lock)), owner, tenure, holds, lease.toMillis());
    }

    /** {@link #handoff} of a fenced lock. {@return tenure and token, or a number} */
    Object handoffFenced(String lock, String owner, long tenure, Duration lease, String from, long before) {
        return run("handoff.lua", List.of(lock, tokens(lock)), owner, tenure, lease.toMillis(), from, before);
    }

    Object renew(String lock, String owner, long tenure, Duration lease) {
        return run("renew.lua", List.of(lock), owner, tenure, lease.toMillis());
    }

    Object verify(String lock, String owner, long tenure) {
        return run("verify.lua", List.of(lock), owner, tenure);
    }

    /** Runs a script and {@return its reply} A list with a single element is replaced by that element. */
    Object run(String file, List<String> keys, Object... arguments) {
        return Patience.get(begin(connection.async(), file, keys, arguments));
    }

    /** {@return the reply to the same script as a user that may not publish} */
    Object runWithoutPublish(String file, List<String> keys, Object... arguments) {
        try (StatefulRedisConnection<String, String> mute = connectAs("mute", "+@all", "~*", "resetchannels")) {
            return runOver(mute, file, keys, arguments);
        }
    }

    /** {@return a connection of a user with these rights} */
    StatefulRedisConnection<String, String> connectAs(String user, String... rights) {
        server.command(Stream.of(new String[] {"ACL", "SETUSER", user, "on", ">pw"}, rights)
                .flatMap(Stream::of)
                .toArray(String[]::new));
        return client.connect(RedisURI.builder(RedisURI.create(server.uri()))
                .withAuthentication(user, "pw")
                .build());
    }

    /** {@return a connection that receives the messages of all channels} */
    StatefulRedisPubSubConnection<String, String> connectToAll() {
        StatefulRedisPubSubConnection<String, String> all = client.connectPubSub();
        all.sync().psubscribe("*");
        return all;
    }

    /** {@return the reply to the same script over another connection} */
    Object runOver(StatefulRedisConnection<String, String> other, String file, List<String> keys, Object... arguments) {
        return Patience.get(begin(other.async(), file, keys, arguments));
    }

    /**
     * {@return the reply to a script that runs while no millisecond of the first key's lease is left} A server whose
     * clock stands still during a script runs it earlier.
     */
    Object runAtTheEndOfTheLease(String file, List<String> keys, Object... arguments) {
        String waiting =
                "redis.call('PEXPIRE', KEYS[1], 20) for _ = 1, 1e6 do if redis.call('PTTL', KEYS[1]) == 0 then break end end ";
        String[] texts = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        return redis().eval(waiting + source(file), ScriptOutputType.MULTI, keys.toArray(String[]::new), texts);
    }

    /** Sends a script without waiting for those before it; they still run in order. */
    CompletableFuture<Object> begin(String file, List<String> keys, Object... arguments) {
        return begin(connection.async(), file, keys, arguments);
    }

    private CompletableFuture<Object> begin(
            RedisAsyncCommands<String, String> redis, String file, List<String> keys, Object... arguments) {
        String[] texts = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        String digest = digests.computeIfAbsent(
                file, name -> connection.sync().scriptLoad(SOURCES.computeIfAbsent(name, RawScripts::source)));
        return redis.<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys.toArray(String[]::new), texts)
                .toCompletableFuture()
                .thenApply(elements -> elements.size() == 1 ? elements.get(0) : elements);
    }

    /** {@return the fields of the lock} */
    Map<String, String> hash(String lock) {
        return redis().hgetall(lock);
    }

    /** {@return the rest of the lock's lease} */
    Duration left(String lock) {
        return Duration.ofMillis(redis().pttl(lock));
    }

    private static String source(String file) {
        return new String(Script.load(PlainKind.class, file).source(), UTF_8);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ZERO);
        server.close();
    }
}
