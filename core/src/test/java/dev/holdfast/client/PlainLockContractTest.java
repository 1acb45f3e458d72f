package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks, and in the end not even a subscription is left. */
@Tag("driver")
@Tag("client")
final class PlainLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    PlainLockContractTest() {
        super(LockKinds.PLAIN, redis.client(), redis.rival(), redis::keys);
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
