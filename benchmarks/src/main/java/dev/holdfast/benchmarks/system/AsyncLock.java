package dev.holdfast.benchmarks.system;

import java.util.concurrent.CompletionStage;

/** A lock of one owner that is no thread. */
public interface AsyncLock {
    /** Takes the lock, however long that takes. */
    CompletionStage<?> lock();

    /** Gives it back. */
    CompletionStage<?> unlock();
}
