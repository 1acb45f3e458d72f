package dev.holdfast.testkit;

/** A read-write lock of the JDK fulfils the contract: it requires no more than such a lock offers. */
final class ReadWriteLockContractTest extends ReadWriteLockContract {
    @Override
    protected ReadWriteFixture newFixture() {
        return new ReadWriteTwinFixture();
    }
}
