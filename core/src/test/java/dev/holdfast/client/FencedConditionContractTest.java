package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The conditions of the fenced lock fulfil the contract of all conditions. */
@Tag("client")
@Tag("slow")
final class FencedConditionContractTest extends HoldfastConditionContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    FencedConditionContractTest() {
        super(LockKinds.FENCED, redis);
    }
}
