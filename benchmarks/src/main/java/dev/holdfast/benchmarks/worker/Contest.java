package dev.holdfast.benchmarks.worker;

/**
 * A task under way. Its phases are called in order, from one thread; the next one comes when every worker has returned from
 * the one before. So whatever is counted between {@link #open} and {@link #close} was done while all contended.
 */
public interface Contest extends AutoCloseable {
    /** Lets the contenders run, and returns when all do. */
    void start() throws Exception;

    /** Begins to count. */
    void open() throws Exception;

    /** Ends counting; the contenders run on. */
    void shut() throws Exception;

    /** Stops the contenders, and says what was counted. */
    Tally stop() throws Exception;

    /** Disconnects. */
    @Override
    void close();
}
