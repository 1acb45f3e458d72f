package dev.holdfast.testkit;

import java.util.List;

/**
 * The parts of a kind of lock that {@link LockContract} needs: the store of the locks, and clients of it. One for each
 * test.
 */
public interface LockFixture extends AutoCloseable {
    /** {@return a client that shares only the locks with earlier ones; the contract closes it} */
    LockClient newClient();

    /**
     * {@return the state of locks left in their store, in words for a failure message: keys, channels; empty if there
     * is none}
     */
    List<String> residue();

    @Override
    void close();
}
