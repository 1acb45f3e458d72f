package dev.holdfast.examples.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.examples.buffer.BufferOutcome.Put;
import dev.holdfast.examples.buffer.BufferOutcome.Shipped;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The expectations of a run, the complaints when they are not met, and the table. */
class BufferOutcomeTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Two producers with two items each, a consumer, and one that was killed with item 2-1. */
    private static BufferOutcome of(List<String> shipped, List<String> shippedInPlace) {
        return new BufferOutcome(
                LEASE,
                List.of(new Put(2, 7), new Put(2, 1_500)),
                List.of(new Shipped(shipped, 3), new Shipped(shippedInPlace, 0)),
                "2-1",
                1,
                LEASE);
    }

    /** Each item is shipped once, in whatever order; the one that the dead process had taken by the one in its place. */
    @Test
    void complaints_none() {
        assertThat(of(List.of("2-2"), List.of("1-2", "2-1", "1-1")).complaints())
                .isEmpty();
    }

    /** An item that is missing, one that was shipped twice, and one that was never put. */
    @Test
    void complaints_items() {
        assertThat(of(List.of("2-2"), List.of("1-1", "2-1")).complaints()).containsExactly("item 1-2 was not shipped");
        assertThat(of(List.of("2-2", "1-1"), List.of("1-1", "2-1", "1-2")).complaints())
                .containsExactly("item 1-1 was shipped twice, or never put");
        assertThat(of(List.of("2-2"), List.of("1-1", "2-1", "1-2", "1-3")).complaints())
                .containsExactly("item 1-3 was shipped twice, or never put");
    }

    /** The item of the dead process was shipped before the kill, or by another process than the one in its place. */
    @Test
    void complaints_left() {
        String complaint = "the item that the dead process had taken, 2-1, was not shipped by the one in its place";
        assertThat(of(List.of("2-2"), List.of("2-1", "1-1", "1-2")).complaints())
                .containsExactly(complaint);
        assertThat(of(List.of("2-2", "2-1"), List.of("1-1", "1-2")).complaints())
                .containsExactly(complaint);
    }

    /** A producer or a consumer without an item. */
    @Test
    void complaints_processes() {
        assertThat(of(List.of(), List.of("1-1", "2-1", "1-2", "2-2")).complaints())
                .containsExactly("consumer 1 has shipped nothing");
        BufferOutcome oneProducer = new BufferOutcome(
                LEASE, List.of(new Put(1, 0), new Put(0, 0)), List.of(new Shipped(List.of("1-1"), 0)), "1-1", 0, LEASE);
        assertThat(oneProducer.complaints()).containsExactly("producer 2 has put nothing");
    }

    /** The lock is free long after the lease of the dead process. */
    @Test
    void complaints_lock() {
        BufferOutcome late = new BufferOutcome(
                LEASE,
                List.of(new Put(1, 0)),
                List.of(new Shipped(List.of("1-1"), 0)),
                "1-1",
                0,
                Duration.ofMillis(5_010));
        assertThat(late.complaints()).containsExactly("the lock was free after 5.01 s, with a lease of 3.00 s");
    }

    /** The items and waits of each process are shown, those of the killed one apart. */
    @Test
    void table_showsItems() {
        assertThat(of(List.of("2-2"), List.of("1-2", "2-1", "1-1")).table())
                .anyMatch(line -> line.matches(" *producer 2 +2 +1,500"))
                .anyMatch(line -> line.matches(" *consumer 1 +1 +3"))
                .anyMatch(line -> line.matches(" *consumer 2, killed +1"))
                .anyMatch(line -> line.matches(" *in its place +2 +0"));
    }
}
