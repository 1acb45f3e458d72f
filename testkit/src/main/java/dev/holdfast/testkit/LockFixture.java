package dev.holdfast.testkit;

import java.util.List;

/** What {@link LockContract} needs of a kind of lock: a place where locks live, and clients of it. One for each test. */
public interface LockFixture extends AutoCloseable {
    /** {@return a client that shares nothing with those before it but the locks; the contract closes it} */
    LockClient newClient();

    /**
     * {@return what is left of locks where they live, in words for a failure message: keys, channels; empty if nothing is}
     */
    List<String> residue();

    @Override
    void close();
}
