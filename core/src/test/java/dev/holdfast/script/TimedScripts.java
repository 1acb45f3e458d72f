package dev.holdfast.script;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Runs scripts on hashes and texts, with the clock, the expiries and the subscribers that the test sets. */
public final class TimedScripts implements AutoCloseable {
    private static final String ENDS = "ends";

    private final RedisServer server = RedisServer.start();
    private final RedisClient client = RedisClient.create(server.uri());
    private final StatefulRedisConnection<String, String> connection = client.connect();
    private final String frame =
            new String(Script.load(TimedScripts.class, "timed.lua").source(), UTF_8);

    /**
     * A key.
     *
     * @param expires in milliseconds; -1 if never, -2 if there is none
     * @param text empty for a hash
     */
    public record Kept(long expires, String text, Map<String, String> fields) {}

    /**
     * What a script has done.
     *
     * @param reply its elements
     * @param keys of the script, after it
     */
    public record Effect(List<Object> reply, List<Kept> keys, List<Message> messages) {}

    public record Message(String command, String channel, String text, long receivers) {}

    /**
     * When, and for whom a script runs.
     *
     * @param nowMicros the time of the server
     * @param listening the channels that have subscribers, each as often as it has some
     * @param refused commands of Redis that the script may not run
     */
    public record Setting(long nowMicros, List<String> listening, List<String> refused) {}

    /** {@return the text of a script that is shipped} */
    public static String shipped(String file) {
        return new String(Script.load(PlainKind.class, file).source(), UTF_8);
    }

    /** {@return a text with a defect: a fragment, which must be there once, is replaced} */
    public static String changed(String text, String fragment, String instead) {
        int at = text.indexOf(fragment);
        if (at < 0 || text.indexOf(fragment, at + 1) >= 0) {
            throw new AssertionError("this must be once in the script: " + fragment);
        }
        return text.substring(0, at) + instead + text.substring(at + fragment.length());
    }

    /** {@return a script as it is loaded into the server} */
    public String load(String text) {
        return connection.sync().scriptLoad(frame.replace("-- the script", text));
    }

    /** Sends a script; those that are sent run in order. */
    public CompletableFuture<Effect> send(String script, Setting setting, List<String> keys, List<Object> arguments) {
        String[] names = Stream.concat(Stream.of(ENDS), keys.stream()).toArray(String[]::new);
        List<Object> words = new ArrayList<>(List.of(
                setting.nowMicros(),
                String.join("\n", setting.listening()),
                " " + String.join(" ", setting.refused()) + " "));
        words.addAll(arguments);
        return connection
                .async()
                .<List<Object>>evalsha(
                        script,
                        ScriptOutputType.MULTI,
                        names,
                        words.stream().map(String::valueOf).toArray(String[]::new))
                .toCompletableFuture()
                .thenApply(TimedScripts::effect);
    }

    /** Makes the keys as they were, and deletes all else, before what is sent after this call. */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure is one of the script that follows
    public void restore(Map<String, Kept> keys) {
        connection.async().flushall();
        keys.forEach((key, kept) -> {
            if (!kept.text().isEmpty()) {
                connection.async().set(key, kept.text());
            }
            if (!kept.fields().isEmpty()) {
                connection.async().hset(key, kept.fields());
            }
            if (kept.expires() >= 0) {
                connection.async().hset(ENDS, key, String.valueOf(kept.expires()));
            }
        });
    }

    private static Effect effect(List<Object> seen) {
        List<Message> messages = new ArrayList<>();
        for (Object message : list(seen.get(2))) {
            List<Object> parts = list(message);
            messages.add(new Message(
                    parts.get(0).toString(),
                    parts.get(1).toString(),
                    parts.get(2).toString(),
                    (Long) parts.get(3)));
        }
        List<Kept> keys =
                list(seen.get(1)).stream().map(each -> kept(list(each))).toList();
        return new Effect(list(seen.get(0)), keys, messages);
    }

    private static Kept kept(List<Object> seen) {
        long expires = (Long) seen.get(0);
        if (seen.get(1) instanceof String text) {
            return new Kept(expires, text, Map.of());
        }
        Map<String, String> fields = new LinkedHashMap<>();
        List<Object> hash = list(seen.get(1));
        for (int i = 0; i < hash.size(); i += 2) {
            fields.put(String.valueOf(hash.get(i)), String.valueOf(hash.get(i + 1)));
        }
        return new Kept(expires, "", fields);
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object elements) {
        return (List<Object>) elements;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ZERO);
        server.close();
    }
}
