package dev.holdfast.script.line;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.script.line.LineCommand.Verb;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;

/** Runs the scripts on copies of locks, with the listeners that {@link LineChannel} describes. */
final class LineScripts implements AutoCloseable {
    private static final String TOKENS = "tokens";

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    LineScripts() {
        StatefulRedisPubSubConnection<String, String> clients = client.connectPubSub();
        for (LineChannel channel : LineChannel.values()) {
            clients.sync().subscribe(channel.channel(), channel.line());
            for (String name : List.of(LineChannel.FIRST, LineChannel.SECOND, LineChannel.DEAF)) {
                if (channel.isHeardBy(name)) {
                    clients.sync().subscribe(channel.of(name));
                }
            }
        }
        client.connectPubSub().sync().subscribe(LineChannel.CROWDED.channel());
        client.connectPubSub().sync().subscribe(LineChannel.CROWDED.channel(), LineChannel.CROWDED.line());
        connection.setAutoFlushCommands(false);
    }

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final LineKind kind;
        private final Map<Verb, String> digests = new EnumMap<>(Verb.class);

        private Loaded(LineKind kind, BinaryOperator<String> change) {
            this.kind = kind;
            String frame = source(LineScripts.class, "observed.lua");
            for (Verb verb : Verb.values()) {
                boolean shipped = PlainKind.class.getResource(verb.file()) != null;
                String script = source(shipped ? PlainKind.class : LineScripts.class, verb.file());
                String text = frame.replace("-- the script", change.apply(verb.file(), script));
                CompletableFuture<String> digest =
                        connection.async().scriptLoad(text).toCompletableFuture();
                connection.flushCommands();
                digests.put(verb, digest.join());
            }
        }

        LineKind kind() {
            return kind;
        }

        /** Sends the command for a copy of that lock, at that time of the server; {@link #flush} writes it. */
        CompletableFuture<List<Object>> send(String before, String copy, boolean keep, LineCommand command, long now) {
            boolean fenced = kind == LineKind.FENCED && grants(command.verb());
            String[] keys = fenced ? new String[] {copy, before, TOKENS} : new String[] {copy, before};
            Object[] arguments = command.arguments(kind);
            String[] words = new String[arguments.length + 2];
            words[0] = String.valueOf(now);
            words[1] = keep ? "1" : "0";
            for (int i = 0; i < arguments.length; i++) {
                words[i + 2] = String.valueOf(arguments[i]);
            }
            String digest = digests.getOrDefault(command.verb(), "");
            return connection
                    .async()
                    .<List<Object>>evalsha(digest, ScriptOutputType.MULTI, keys, words)
                    .toCompletableFuture();
        }

        private static boolean grants(Verb verb) {
            return verb.acquires() || verb == Verb.HANDOFF || verb == Verb.RELEASE;
        }

        CompletableFuture<Long> delete(String lock) {
            return connection.async().del(lock).toCompletableFuture();
        }

        void flush() {
            connection.flushCommands();
        }
    }

    /** {@return the shipped scripts} */
    Loaded shipped(LineKind kind) {
        return changed(kind, (file, text) -> text);
    }

    /** {@return the shipped scripts, each changed by that function of its file and its text} */
    Loaded changed(LineKind kind, BinaryOperator<String> change) {
        return new Loaded(kind, change);
    }

    private static String source(Class<?> beside, String file) {
        return new String(Script.load(beside, file).source(), UTF_8);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ZERO);
        server.close();
    }
}
