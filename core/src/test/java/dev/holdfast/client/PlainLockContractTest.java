package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks, and in the end not even a subscription is left. */
@Tag("client")
final class PlainLockContractTest extends LockContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @Override
    protected LockFixture newFixture() {
        return ContractFixture.of(redis, LockKinds.PLAIN);
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
