package dev.holdfast.topology;

import dev.holdfast.testkit.RedisServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often a server has executed a command since it was started. */
final class CommandStats {
    private CommandStats() {}

    /** {@return the number of calls of scripts that the server knew} */
    static long scripts(RedisServer server) {
        return calls("evalsha", server);
    }

    /** {@return how often replicas were awaited} */
    static long waits(RedisServer server) {
        return calls("wait", server);
    }

    /** {@return how often sharded channels were subscribed} */
    static long subscriptions(RedisServer server) {
        return calls("ssubscribe", server);
    }

    private static long calls(String command, RedisServer server) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(server.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
