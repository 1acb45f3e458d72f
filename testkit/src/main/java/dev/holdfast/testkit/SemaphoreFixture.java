package dev.holdfast.testkit;

import java.util.List;

/** The parts of a kind of semaphore that {@link SemaphoreContract} needs: their store, and clients of it. One for each test. */
public interface SemaphoreFixture extends AutoCloseable {
    /** {@return a client that shares only the semaphores with earlier ones; the contract closes it} */
    SemaphoreClient newClient();

    /** {@return the state of semaphores left in their store, in words for a failure message; empty if there is none} */
    List<String> residue();

    @Override
    void close();
}
