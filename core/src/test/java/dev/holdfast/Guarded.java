package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A section that only the owner of a lock may enter. It counts in a plain field, so two threads at once lose counts;
 * and each that enters checks whether another is inside.
 */
public final class Guarded {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();

    /** Written by the thread that is inside. */
    private int count;

    @SuppressWarnings("ThreadPriorityCheck") // yielding in the middle makes an overlap likely
    public void enter() {
        entered.incrementAndGet();
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        int seen = count;
        Thread.yield();
        count = seen + 1;
        inside.decrementAndGet();
    }

    /** {@return how often the section was entered} */
    public int entered() {
        return entered.get();
    }

    /** Asserts that the section was entered this many times, by one thread at a time. */
    public void assertEntered(int times) {
        assertThat(overlaps).as("overlaps").hasValue(0);
        assertThat(entered).as("entered").hasValue(times);
        assertThat(count).as("count").isEqualTo(times);
    }
}
