package dev.holdfast.testkit.topology;

import dev.holdfast.testkit.RedisServer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one sentinel replies about a master. */
final class SentinelReply {
    private SentinelReply() {}

    /** {@return the port of the master that the sentinel names to clients} */
    static int masterPort(RedisServer sentinel, String name) {
        List<?> address =
                (List<?>) Objects.requireNonNull(sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name));
        return Integer.parseInt(String.valueOf(address.get(1)));
    }

    /** {@return the fields of the master} */
    static Map<String, String> master(RedisServer sentinel, String name) {
        return fields(sentinel.command("SENTINEL", "MASTER", name));
    }

    /** {@return the fields of each replica} */
    static List<Map<String, String>> replicas(RedisServer sentinel, String name) {
        return each(sentinel.command("SENTINEL", "REPLICAS", name));
    }

    /** {@return the fields of each other sentinel} */
    static List<Map<String, String>> otherSentinels(RedisServer sentinel, String name) {
        return each(sentinel.command("SENTINEL", "SENTINELS", name));
    }

    private static List<Map<String, String>> each(@Nullable Object reply) {
        return ((List<?>) Objects.requireNonNull(reply))
                .stream().map(SentinelReply::fields).toList();
    }

    private static Map<String, String> fields(@Nullable Object reply) {
        List<?> namesAndValues = (List<?>) Objects.requireNonNull(reply);
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < namesAndValues.size(); i += 2) {
            fields.put(String.valueOf(namesAndValues.get(i)), String.valueOf(namesAndValues.get(i + 1)));
        }
        return fields;
    }
}
