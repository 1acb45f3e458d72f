package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.SharedRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The conditions of the fair lock fulfil the contract of all conditions. */
@Tag("client")
@Tag("slow")
final class FairConditionContractTest extends HoldfastConditionContract {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    FairConditionContractTest() {
        super(Holdfast::getFairLock, redis);
    }
}
