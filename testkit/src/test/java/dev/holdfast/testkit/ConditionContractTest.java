package dev.holdfast.testkit;

/** The conditions of a lock of the JDK fulfil the contract: it requires no more than these offer. */
final class ConditionContractTest extends ConditionContract {
    @Override
    protected LockFixture newFixture() {
        return new TwinFixture();
    }
}
