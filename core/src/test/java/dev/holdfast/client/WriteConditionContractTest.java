package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The conditions of the write lock fulfil the contract of all conditions. */
@Tag("client")
@Tag("slow")
final class WriteConditionContractTest extends HoldfastConditionContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    WriteConditionContractTest() {
        super(LockKinds.WRITE, redis);
    }
}
