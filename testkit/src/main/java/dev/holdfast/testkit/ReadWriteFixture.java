package dev.holdfast.testkit;

/** A {@link LockFixture} whose locks are those for writing of read-write locks. */
public interface ReadWriteFixture extends LockFixture {
    /** {@return a client that shares only the locks with earlier ones; the contract closes it} */
    @Override
    ReadWriteClient newClient();
}
