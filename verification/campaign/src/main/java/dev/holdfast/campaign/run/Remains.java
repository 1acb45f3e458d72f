package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.testkit.RedisServer;
import java.util.List;

/** What of a server's data is left when all clients are closed, though it should not be. */
final class Remains {
    /** The prefix of the tokens, the only keys of a lock that may outlive its users. */
    private static final String TOKENS = "redisson_lock_token:";

    /** What begins the names of the keys that outlive a latch. */
    private static final String RECORDS = "holdfast_latch:";

    /** The holds of a semaphore that have not ended, by the server's clock; all of them, if the key never expires. */
    private static final String HELD = """
            local time, held = redis.call('TIME'), 0
            local all, ends = redis.call('HGETALL', KEYS[1]), redis.call('PTTL', KEYS[1]) > 0
            for i = 1, #all, 2 do
              local till = all[i]:match('^hold:') and all[i + 1]:match('^%d+ %d+ %d+ (%d+)')
              held = held + (till and (not ends or till - time[1] * 1000 > 0) and 1 or 0)
            end
            return held + (ends and 0 or 1)
            """;

    private Remains() {}

    /**
     * {@return the keys that must not be left when all locks are free and all latches are open} The key of a semaphore may be
     * left if nobody has permits: with the last holder and the last waiter killed, nobody deletes it, and it expires. So does what
     * is left of waiters for conditions that were killed.
     */
    static List<String> keys(RedisServer server) {
        return server.keys().stream()
                .filter(key -> !key.startsWith(TOKENS) && !key.startsWith(RECORDS))
                .filter(key -> !key.startsWith(RoundPlan.SEMAPHORES) || isHeld(server, key))
                .filter(key -> !key.startsWith(RoundPlan.CONDITIONS) || !expires(server, key))
                .toList();
    }

    private static boolean expires(RedisServer server, String key) {
        return !Long.valueOf(-1).equals(server.command("PTTL", key));
    }

    private static boolean isHeld(RedisServer server, String semaphore) {
        return !Long.valueOf(0).equals(server.command("EVAL", HELD, "1", semaphore));
    }
}
