package dev.holdfast.client;

import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The latch fulfils the contract of all latches, and in the end not even a subscription is left. */
@Tag("client")
final class HoldfastLatchContractTest extends HoldfastLatchContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    HoldfastLatchContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
