package dev.holdfast.script.latch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.LatchScripts;
import dev.holdfast.internal.redis.Script;
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

/** Runs the scripts on a latch, at the time that the test sets. */
final class LatchScriptRuns implements AutoCloseable {
    private static final String ENDS = "ends";

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();

    /**
     * What is in Redis.
     *
     * @param count as it is stored; empty if there is none
     * @param countEnds when it expires, in milliseconds; -1 if never, -2 if there is none
     * @param recordEnds the same for the record
     */
    record Kept(String count, long countEnds, long recordEnds, Map<String, String> record) {
        static final Kept NOTHING = new Kept("", -2, -2, Map.of());

        long number() {
            return count.isEmpty() ? 0 : Long.parseLong(count);
        }

        String generation() {
            return record.getOrDefault("state", "0").replaceFirst(" .*", "");
        }

        /** {@return what is left of it at that time} */
        Kept at(long millis) {
            boolean counts = countEnds == -1 || countEnds >= millis;
            boolean records = recordEnds == -1 || recordEnds >= millis;
            return new Kept(
                    counts ? count : "",
                    counts ? countEnds : -2,
                    records ? recordEnds : -2,
                    records ? record : Map.of());
        }
    }

    /** What a command has done. */
    record Effect(List<Object> reply, Kept after, List<String> messages) {
        boolean isError() {
            return reply.get(0) instanceof String;
        }
    }

    /** The scripts as they are loaded into the server. */
    final class Loaded {
        private final Map<LatchVerb, String> digests = new EnumMap<>(LatchVerb.class);

        private Loaded(BinaryOperator<String> change) {
            String frame = source(LatchScriptRuns.class, "timed.lua");
            for (LatchVerb verb : LatchVerb.values()) {
                String text = verb.isRedissons()
                        ? verb.script().replace("KEYS[2]", "'" + LatchStep.CHANNEL + "'")
                        : change.apply(verb.script(), source(LatchScripts.class, verb.script()));
                digests.put(verb, connection.sync().scriptLoad(frame.replace("-- the script", text)));
            }
        }

        /** @param refused commands of Redis that the script may not run */
        Effect run(LatchStep command, long nowMicros, List<String> refused) {
            String[] arguments = Stream.concat(
                            Stream.of(nowMicros, " " + String.join(" ", refused) + " "), command.arguments().stream())
                    .map(String::valueOf)
                    .toArray(String[]::new);
            List<Object> seen = connection
                    .sync()
                    .evalsha(
                            digests.getOrDefault(command.verb(), ""),
                            ScriptOutputType.MULTI,
                            new String[] {ENDS, "latch", "record"},
                            arguments);
            Map<String, String> record = new LinkedHashMap<>();
            List<Object> fields = list(seen.get(4));
            for (int i = 0; i < fields.size(); i += 2) {
                record.put(fields.get(i).toString(), fields.get(i + 1).toString());
            }
            Kept after = new Kept(seen.get(1).toString(), (Long) seen.get(2), (Long) seen.get(3), record);
            return new Effect(
                    list(seen.get(0)),
                    after,
                    new ArrayList<>(
                            list(seen.get(5)).stream().map(String::valueOf).toList()));
        }
    }

    Loaded shipped() {
        return changed((file, text) -> text);
    }

    /** {@return the shipped scripts, each changed by that function of its file and its text} */
    Loaded changed(BinaryOperator<String> change) {
        return new Loaded(change);
    }

    /** Makes the latch as it was then. */
    void restore(Kept kept) {
        connection.sync().flushall();
        if (!kept.count().isEmpty()) {
            connection.sync().set("latch", kept.count());
            end("latch", kept.countEnds());
        }
        if (!kept.record().isEmpty()) {
            connection.sync().hset("record", kept.record());
            end("record", kept.recordEnds());
        }
    }

    private void end(String key, long millis) {
        if (millis >= 0) {
            connection.sync().hset(ENDS, key, String.valueOf(millis));
        }
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
