package dev.holdfast.benchmarks.worker;

/**
 * A task in progress. Its phases are called in order, by one thread; the next one begins when every worker has returned
 * from the one before. So all contenders run for the whole time between {@link #open} and {@link #shut}, in which
 * events are counted.
 */
public interface Contest extends AutoCloseable {
    /** Starts the contenders, and returns when all of them run. */
    void start() throws Exception;

    /** Starts counting. */
    void open() throws Exception;

    /** Stops counting; the contenders continue. */
    void shut() throws Exception;

    /** Stops the contenders, and returns the counts. */
    Tally stop() throws Exception;

    /** Disconnects. */
    @Override
    void close();
}
