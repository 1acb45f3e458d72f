package dev.holdfast.benchmarks.system;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.Holdfast;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The floor: the scripts that take and give back a lock, sent on one connection with the driver set up as Holdfast sets it
 * up, and nothing around them. No lock: whoever finds it taken does not wait.
 */
final class BareScripts implements LockClient {
    private static final byte[] LEASE = ascii("30000");
    private static final byte[] ONCE = ascii("1");
    private static final byte[] NOT_AT_ALL = ascii("0");
    private static final byte[] PUBLISH = ascii("PUBLISH");

    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .build();
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final String acquire;
    private final String release;

    BareScripts(String uri) {
        client = RedisClient.create(resources, RedisURI.create(uri));
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder().keepAlive(true).build())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build());
        connection = client.connect(ByteArrayCodec.INSTANCE);
        acquire = load("acquire.lua");
        release = load("release.lua");
    }

    private String load(String script) {
        try (InputStream in = Holdfast.class.getResourceAsStream(script)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + script + " beside " + Holdfast.class);
            }
            return connection.sync().scriptLoad(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + script, e);
        }
    }

    @Override
    public BlockingLock lock(String name) {
        Scripts scripts = new Scripts(name, 1);
        return new BlockingLock() {
            @Override
            public void lock() {
                scripts.lock().toCompletableFuture().join();
            }

            @Override
            public void unlock() {
                scripts.unlock().toCompletableFuture().join();
            }
        };
    }

    @Override
    public AsyncLock asyncLock(String name, long owner) {
        return new Scripts(name, owner);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** The two scripts for one owner of one name, which takes and gives back by turns. */
    private final class Scripts implements AsyncLock {
        private final RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        private final byte[][] key;
        private final byte[] owner;
        private final byte[] channel;
        private long tenure;

        Scripts(String name, long ownerId) {
            key = new byte[][] {ascii(name)};
            owner = ascii("00000000-0000-0000-0000-000000000000:" + ownerId);
            channel = ascii("redisson_lock__channel:{" + name + "}");
        }

        @Override
        public CompletionStage<?> lock() {
            tenure++;
            RedisFuture<Long> reply = commands.evalsha(
                    acquire, ScriptOutputType.INTEGER, key, owner, ascii(Long.toString(tenure)), ONCE, LEASE);
            return reply;
        }

        @Override
        public CompletionStage<?> unlock() {
            RedisFuture<Long> reply = commands.evalsha(
                    release,
                    ScriptOutputType.INTEGER,
                    key,
                    owner,
                    ascii(Long.toString(tenure)),
                    NOT_AT_ALL,
                    channel,
                    PUBLISH);
            return reply;
        }
    }
}
