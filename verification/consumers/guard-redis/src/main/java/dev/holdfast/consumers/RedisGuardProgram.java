package dev.holdfast.consumers;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.guard.redis.RedisGuard;
import io.lettuce.core.RedisClient;

/** Refuses the write of an owner that came too late: argument is the URI of a Redis. */
public final class RedisGuardProgram {
    private RedisGuardProgram() {}

    public static void main(String[] args) {
        RedisClient client = RedisClient.create(args[0]);
        try (Holdfast holdfast = Holdfast.connect(args[0]);
                var connection = client.connect()) {
            RedisGuard guard = RedisGuard.on(connection.async());
            long late = token(holdfast);
            check(guard.set("guard:balance", "170", token(holdfast)).join(), RedisGuard.Outcome.WRITTEN);
            check(guard.set("guard:balance", "180", late).join(), RedisGuard.Outcome.STALE);
        } finally {
            client.shutdown();
        }
    }

    private static long token(Holdfast holdfast) {
        try (Lease lease = holdfast.getFencedLock("guard:balance-lock").acquire()) {
            return lease.token();
        }
    }

    private static void check(RedisGuard.Outcome outcome, RedisGuard.Outcome expected) {
        if (outcome != expected) {
            throw new AssertionError("expected " + expected + ", was " + outcome);
        }
    }
}
