package dev.holdfast.script.readwrite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** Runs the scripts on a lock, with the clock, the expiries and the subscribers that the test sets. */
final class ReadWriteScripts implements AutoCloseable {
    private static final String ENDS = "ends";

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();
    private long sent;

    /**
     * What a command has done.
     *
     * @param reply its elements
     * @param after the lock after it
     */
    record Effect(List<Object> reply, ReadWriteState after, List<Message> messages) {
        /** {@return the first element if it is a number; a number that no reply has otherwise} */
        long number() {
            return reply.get(0) instanceof Long number ? number : Long.MIN_VALUE;
        }

        boolean isError() {
            return reply.get(0) instanceof String;
        }
    }

    record Message(String command, String channel, String text, long receivers) {}

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<Verb, String> digests = new EnumMap<>(Verb.class);

        private Loaded(BinaryOperator<String> change) {
            String frame = source(ReadWriteScripts.class, "timed.lua");
            for (Verb verb : Verb.values()) {
                String text = verb.isRedissons()
                        ? verb.script()
                        : change.apply(verb.script(), source(PlainKind.class, verb.script()));
                digests.put(verb, connection.sync().scriptLoad(frame.replace("-- the script", text)));
            }
        }

        /**
         * Runs the script of a command.
         *
         * @param nowMicros the time of the server
         * @param listening the channels that have subscribers, each as often as it has some
         * @param refused commands of Redis that the script may not run
         */
        Effect run(
                ReadWriteCommand command,
                long nowMicros,
                List<String> listening,
                List<String> refused,
                String publish) {
            String latch = String.valueOf(sent++);
            String[] keys =
                    Stream.concat(Stream.of(ENDS), command.keys(latch).stream()).toArray(String[]::new);
            List<Object> words = new ArrayList<>(
                    List.of(nowMicros, String.join("\n", listening), " " + String.join(" ", refused) + " "));
            words.addAll(command.arguments(publish));
            String[] arguments = words.stream().map(String::valueOf).toArray(String[]::new);
            List<Object> seen = connection
                    .sync()
                    .evalsha(digests.getOrDefault(command.verb(), ""), ScriptOutputType.MULTI, keys, arguments);
            List<Message> messages = new ArrayList<>();
            for (Object message : list(seen.get(3))) {
                List<Object> parts = list(message);
                messages.add(new Message(
                        parts.get(0).toString(),
                        parts.get(1).toString(),
                        parts.get(2).toString(),
                        (Long) parts.get(3)));
            }
            return new Effect(list(seen.get(0)), state((Long) seen.get(1), list(seen.get(2))), messages);
        }
    }

    /** {@return the shipped scripts} */
    Loaded shipped() {
        return changed((file, text) -> text);
    }

    /** {@return the shipped scripts, each changed by that function of its file and its text} */
    Loaded changed(BinaryOperator<String> change) {
        return new Loaded(change);
    }

    /** Makes the lock as it was in that state. */
    void restore(ReadWriteState state) {
        connection.sync().flushall();
        if (!state.isFree()) {
            connection.sync().hset("lock", state.fields);
            connection.sync().hset(ENDS, "lock", String.valueOf(state.expires));
        }
    }

    private static ReadWriteState state(long expires, List<Object> fieldsAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < fieldsAndValues.size(); i += 2) {
            fields.put(String.valueOf(fieldsAndValues.get(i)), String.valueOf(fieldsAndValues.get(i + 1)));
        }
        return new ReadWriteState(expires, fields);
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object elements) {
        return (List<Object>) elements;
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
