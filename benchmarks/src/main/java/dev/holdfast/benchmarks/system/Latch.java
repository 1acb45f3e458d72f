package dev.holdfast.benchmarks.system;

import java.util.function.LongConsumer;

/** A count-down latch of one name. */
public interface Latch {
    /** Sets the count of a latch that has none. */
    void set(long count);

    /** Counts down by one. */
    void countDown();

    /** Returns when the count is zero. */
    void await() throws InterruptedException;

    /** A call that waits. */
    @FunctionalInterface
    interface Waiting {
        void await() throws InterruptedException;
    }

    /** {@return the latch that these calls are of} */
    static Latch of(LongConsumer set, Runnable countDown, Waiting await) {
        return new Latch() {
            @Override
            public void set(long count) {
                set.accept(count);
            }

            @Override
            public void countDown() {
                countDown.run();
            }

            @Override
            public void await() throws InterruptedException {
                await.await();
            }
        };
    }
}
