package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One owner of one lock that is not a thread, as {@link LockContract} sees it. None of the methods blocks. */
public interface AsyncOwner {
    /**
     * {@return a future that completes when the lock is held by this owner; one cancelled before that never gets it}
     */
    CompletableFuture<Void> lock();

    /** {@return a future of whether the lock was acquired within {@code wait}} */
    CompletableFuture<Boolean> tryLock(Duration wait);

    /** {@return a future that completes when one hold has been released, or fails with IllegalMonitorStateException} */
    CompletableFuture<Void> unlock();
}
