package dev.holdfast.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One client of a {@link LatchFixture}, as {@link LatchContract} sees it. Latches with the same name are the same one, in all clients.
 * The calls that return a future do not block; the changes of a client are made in the order of its calls.
 */
public interface LatchClient extends AutoCloseable {
    /** {@return whether the latch had no count, and has this one now} */
    CompletableFuture<Boolean> trySetCount(String name, long count);

    /** {@return completes when the latch is counted down by this, to zero at most} */
    CompletableFuture<?> countDown(String name, long by);

    /** {@return the count; 0 if the latch has none} */
    CompletableFuture<Long> count(String name);

    /** {@return whether the latch had a count, and has none now} */
    CompletableFuture<Boolean> delete(String name);

    /**
     * Waits until the latch is open.
     *
     * @param wait at most; zero only looks
     * @return whether it is open; fails if its count was deleted. A caller that cancels the future waits no longer
     */
    CompletableFuture<Boolean> await(String name, Duration wait);

    /** {@return whether exactly so many callers of this client wait, and know which count they wait for} */
    boolean isAwaited(String name, int callers);

    /** {@return the state of latches left within this client, in words for a failure message; empty if there is none} */
    List<String> residue();

    @Override
    void close();
}
