package dev.holdfast.benchmarks.system;

import java.util.concurrent.CompletionStage;

/** A lock of one owner that is not a thread. */
public interface AsyncLock {
    /** Acquires the lock, however long that takes. */
    CompletionStage<?> lock();

    /** Releases the lock. */
    CompletionStage<?> unlock();
}
