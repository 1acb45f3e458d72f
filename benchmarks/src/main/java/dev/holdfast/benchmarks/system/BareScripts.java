package dev.holdfast.benchmarks.system;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Script;
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
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The lower bound: the scripts that acquire and release a lock, sent on one connection with the driver configured as in
 * Holdfast, and nothing else. Not a lock: a caller that finds it held does not wait.
 *
 * <p>The continuation of a reply runs on the I/O thread that read it, so an asynchronous chain never changes threads.
 * Each command is sent in a write of its own, as the driver does by default, or together with all others of the present
 * turn of the I/O thread.
 */
public final class BareScripts implements LockClient {
    private static final byte[] LEASE = ascii("30000");
    private static final byte[] ONCE = ascii("1");
    private static final byte[] NOT_AT_ALL = ascii("0");
    private static final byte[] PUBLISH = ascii("PUBLISH");

    private final AtomicReference<@Nullable Channel> channel = new AtomicReference<>();
    private final ClientResources resources = DefaultClientResources.builder()
            .ioThreadPoolSize(2)
            .computationThreadPoolSize(2)
            .nettyCustomizer(new NettyCustomizer() {
                @Override
                public void afterChannelInitialized(Channel opened) {
                    channel.set(opened);
                }
            })
            .build();
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final String acquire;
    private final String release;
    private final boolean together;

    /** Whether a flush has been submitted to the I/O thread and has not begun. */
    private final AtomicBoolean flushing = new AtomicBoolean();

    /**
     * Connects, and loads the scripts.
     *
     * @param together whether the commands of one turn of the I/O thread are sent in one write
     */
    public BareScripts(String uri, boolean together) {
        client = RedisClient.create(resources, RedisURI.create(uri));
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder().keepAlive(true).build())
                .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
                .build());
        connection = client.connect(ByteArrayCodec.INSTANCE);
        acquire = load("acquire.lua");
        release = load("release.lua");
        this.together = together;
        connection.setAutoFlushCommands(!together);
    }

    private String load(String script) {
        return connection
                .async()
                .scriptLoad(Script.load(PlainKind.class, script).source())
                .toCompletableFuture()
                .join();
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

    private RedisFuture<Long> sent(RedisFuture<Long> reply) {
        Channel io = channel.get();
        if (together && io != null && flushing.compareAndSet(false, true)) {
            io.eventLoop().execute(this::flush);
        }
        return reply;
    }

    /** The flag is reset first, so that a command that is buffered from now on submits another flush. */
    private void flush() {
        flushing.set(false);
        connection.flushCommands();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    /** The two scripts for one owner of one name, which acquires and releases by turns. */
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
            return sent(commands.evalsha(
                    acquire, ScriptOutputType.INTEGER, key, owner, ascii(Long.toString(tenure)), ONCE, LEASE));
        }

        @Override
        public CompletionStage<?> unlock() {
            return sent(commands.evalsha(
                    release,
                    ScriptOutputType.INTEGER,
                    key,
                    owner,
                    ascii(Long.toString(tenure)),
                    NOT_AT_ALL,
                    channel,
                    PUBLISH));
        }
    }
}
