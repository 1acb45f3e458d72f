package dev.holdfast.client;

import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.RedisBinary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same on a master of Redis 6.2 under sentinels. */
@Tag("topology")
@Tag("slow")
final class SentinelSemaphoreContractTest extends HoldfastSemaphoreContract {
    @RegisterExtension
    static final SharedSentinels redis = new SharedSentinels(RedisBinary.embedded(), 0);

    SentinelSemaphoreContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }
}
