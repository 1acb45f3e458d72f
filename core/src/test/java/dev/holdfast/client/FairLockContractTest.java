package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fair lock fulfils the contract of all locks, and in the end not even a subscription is left. */
@Tag("client")
@Tag("slow")
final class FairLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    FairLockContractTest() {
        super(Holdfast::getFairLock, redis.client(), redis.rival(), redis::keys);
    }

    @Override
    boolean isFair() {
        return true;
    }

    @AfterAll
    static void awaitNoChannels() {
        redis.awaitNoChannels();
    }
}
