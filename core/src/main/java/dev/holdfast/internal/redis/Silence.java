package dev.holdfast.internal.redis;

import java.util.function.LongSupplier;

/**
 * The silences of a node that is one of several. A master that was stopped for a while, and replaced meanwhile, executes
 * what lies in its sockets before it learns of that, and replies as if it were still the master. How long a call took
 * shows nothing: it may have been sent just before the node continued. So a reply that grants a lock is believed only if
 * its command was sent after the first reply that followed the last silence, and after {@linkplain Routing#confirmAgain
 * others} have said which node is the master.
 *
 * <p>A node is silent when nothing was read from it for longer than it takes to be replaced. Written by the I/O thread
 * of its connection, read by any.
 */
public final class Silence {
    private final LongSupplier clock;
    private final long longestNanos;

    /** When a reply was last read. */
    private volatile long heardNanos;

    /** When the first one after the last silence was read. */
    private volatile long resumedNanos;

    /**
     * Begins with a connection, of which nothing has been read.
     *
     * @param clock the monotonic clock by which calls are sent, in nanoseconds
     * @param longestNanos how long a node can be silent without being replaced
     */
    public Silence(LongSupplier clock, long longestNanos) {
        this.clock = clock;
        this.longestNanos = longestNanos;
        this.heardNanos = clock.getAsLong();
        this.resumedNanos = heardNanos;
    }

    /** A reply was read. */
    void heard() {
        long now = clock.getAsLong();
        if (now - heardNanos > longestNanos) {
            resumedNanos = now;
        }
        heardNanos = now;
    }

    /** {@return whether a command that was sent then may have been executed by a node that was replaced meanwhile} */
    boolean endedAfter(long sentNanos) {
        return resumedNanos - sentNanos >= 0;
    }

    /** {@return whether the node was heard throughout the last while: then it is not replaced as far as can be known} */
    boolean isLongOver() {
        long now = clock.getAsLong();
        return now - heardNanos <= longestNanos && now - resumedNanos > longestNanos;
    }
}
