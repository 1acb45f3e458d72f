package dev.holdfast.testkit;

/** Semaphores within one JVM fulfil the contract. */
final class SemaphoreContractTest extends SemaphoreContract {
    @Override
    protected SemaphoreFixture newFixture() {
        return new SemaphoreTwinFixture(TwinSemaphore::new);
    }
}
