package dev.holdfast.client;

import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The semaphore fulfils the contract of all semaphores, and in the end not even a subscription is left. */
@Tag("client")
final class HoldfastSemaphoreContractTest extends HoldfastSemaphoreContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    HoldfastSemaphoreContractTest() {
        super(redis.client(), redis.rival(), redis::keys);
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
