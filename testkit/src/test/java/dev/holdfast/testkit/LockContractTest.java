package dev.holdfast.testkit;

/** A lock of the JDK fulfils the contract: it does not ask for more than such a lock gives. */
final class LockContractTest extends LockContract {
    @Override
    protected LockFixture newFixture() {
        return new TwinFixture();
    }
}
