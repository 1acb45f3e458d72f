package dev.holdfast.testkit;

/** A lock of the JDK fulfils the contract: it requires no more than such a lock offers. */
final class LockContractTest extends LockContract {
    @Override
    protected LockFixture newFixture() {
        return new TwinFixture();
    }
}
