package dev.holdfast.testkit;

/** Latches within one JVM fulfil the contract. */
final class LatchContractTest extends LatchContract {
    @Override
    protected LatchFixture newFixture() {
        return new LatchTwinFixture();
    }
}
