package dev.holdfast.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One client of a {@link SemaphoreFixture}, as {@link SemaphoreContract} sees it. Semaphores with the same name are the same one, in
 * all clients. The calls that return a future do not block.
 */
public interface SemaphoreClient extends AutoCloseable {
    /** Permits that a request was granted. */
    interface Grant {
        /** {@return its number, which no other grant has while it is held} */
        int number();

        /** {@return whether it is held, as far as its client knows} */
        boolean isHeld();

        /** {@return completes when it is not held any more; may fail if it was not held before} */
        CompletableFuture<?> release();
    }

    /**
     * Requests permits, for as long as they are not released.
     *
     * @param limit how many permits there are, as this request names it
     * @param wait at most; zero does not wait
     * @return the permits; empty if they were not granted in time. A caller that cancels the future waits no longer
     */
    CompletableFuture<Optional<Grant>> acquire(String name, int limit, int permits, Duration wait);

    /** {@link #acquire(String, int, int, Duration)}, for a lease that ends by itself. */
    CompletableFuture<Optional<Grant>> acquire(String name, int limit, int permits, Duration wait, Duration lease);

    /**
     * Waits for permits in the calling thread.
     *
     * @throws InterruptedException if the thread was interrupted while it waited; it has no permits
     */
    Grant acquireInterruptibly(String name, int limit, int permits) throws InterruptedException;

    /** {@return how many permits of this limit are not held, by any client} */
    CompletableFuture<Integer> available(String name, int limit);

    /** {@return whether exactly so many callers of this client wait, and would be served by a release of any client} */
    boolean isAwaited(String name, int callers);

    /** {@return the state of semaphores left within this client, in words for a failure message; empty if there is none} */
    List<String> residue();

    @Override
    void close();
}
