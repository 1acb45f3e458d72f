package dev.holdfast.client;

import dev.holdfast.LockKinds;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The conditions of the plain lock fulfil the contract of all conditions. */
@Tag("client")
final class PlainConditionContractTest extends HoldfastConditionContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    PlainConditionContractTest() {
        super(LockKinds.PLAIN, redis);
    }
}
