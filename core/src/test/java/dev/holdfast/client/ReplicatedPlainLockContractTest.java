package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedSentinels;
import dev.holdfast.testkit.RedisBinary;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The plain lock fulfils the contract of all locks where each grant is confirmed by a replica. */
@Tag("topology")
@Tag("slow")
final class ReplicatedPlainLockContractTest extends HoldfastContract {
    @RegisterExtension
    static final SharedSentinels redis =
            new SharedSentinels(RedisBinary.embedded(), 1, builder -> builder.replicated(1, Duration.ofMillis(1_500)));

    ReplicatedPlainLockContractTest() {
        super(LockKinds.PLAIN, redis.client(), redis.rival(), redis::keys);
    }
}
