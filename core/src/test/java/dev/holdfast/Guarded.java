package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What only the owner of a lock may enter. It counts in a plain field, so two at once lose some of it; and everybody who
 * enters looks whether somebody else is inside.
 */
final class Guarded {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger entered = new AtomicInteger();

    /** Written by whoever is inside. */
    private int count;

    @SuppressWarnings("ThreadPriorityCheck") // giving way in the middle is what makes an overlap likely
    void enter() {
        entered.incrementAndGet();
        if (inside.incrementAndGet() != 1) {
            overlaps.incrementAndGet();
        }
        int seen = count;
        Thread.yield();
        count = seen + 1;
        inside.decrementAndGet();
    }

    /** {@return how often it was entered} */
    int entered() {
        return entered.get();
    }

    /** It was entered so often, by one at a time. */
    void assertEntered(int times) {
        assertThat(overlaps).as("overlaps").hasValue(0);
        assertThat(entered).as("entered").hasValue(times);
        assertThat(count).as("count").isEqualTo(times);
    }
}
