package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The write lock fulfils the contract of all locks, and in the end not even a subscription is left. */
@Tag("client")
@Tag("slow")
final class WriteLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    WriteLockContractTest() {
        super(LockKinds.WRITE, redis.client(), redis.rival(), redis::keys);
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
