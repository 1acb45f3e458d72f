package dev.holdfast.testkit;

import java.util.List;

/** The parts of a kind of latch that {@link LatchContract} needs: their store, and clients of it. One for each test. */
public interface LatchFixture extends AutoCloseable {
    /** {@return a client that shares only the latches with earlier ones; the contract closes it} */
    LatchClient newClient();

    /** {@return the state of latches without a count that is left in their store, in words for a failure message; empty if there is none} */
    List<String> residue();

    @Override
    void close();
}
