package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.LockContract;
import dev.holdfast.testkit.LockFixture;
import dev.holdfast.testkit.RedisBinary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks where each grant is confirmed by a replica. */
@Tag("topology")
final class ReplicatedPlainLockContractTest extends LockContract {
    @RegisterExtension
    static final SharedSentinels redis =
            new SharedSentinels(RedisBinary.embedded(), 1, builder -> builder.replicated(1, Duration.ofMillis(1_500)));

    @Override
    protected LockFixture newFixture() {
        return new ContractFixture(LockKinds.PLAIN, List.of(redis.client(), redis.rival()), redis::keys);
    }
}
