package dev.holdfast.internal.latch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.latch.LatchState.How;
import dev.holdfast.internal.latch.LatchState.Verdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a look means for a caller that awaits a generation. */
@Tag("pure")
final class LatchStateTest {
    /** The state of the page: its count, how, generation, since and gone; and the generation that is awaited. */
    @ParameterizedTest(name = "{0} {1} {2} {3} {4}, awaited {5}: {6}")
    @CsvSource({
        // The generation that is awaited is the last one.
        "2, COUNTING, 9, 9, NONE, 9, WAIT",
        "0, OPEN, 9, 9, NONE, 9, OPEN",
        "0, DELETED, 9, 9, DELETED, 9, DELETED",
        "0, EXPIRED, 9, 9, EXPIRED, 9, EXPIRED",
        // It was opened, and Redisson has set another count.
        "4, OPEN, 9, 9, NONE, 9, OPEN",
        // Another one was set since: all from the fifth on have ended open.
        "2, COUNTING, 9, 5, DELETED, 5, OPEN",
        "2, COUNTING, 9, 5, DELETED, 8, OPEN",
        "0, DELETED, 9, 5, DELETED, 8, OPEN",
        "2, COUNTING, 9, 5, DELETED, 4, DELETED",
        "2, COUNTING, 9, 9, EXPIRED, 4, EXPIRED",
        // The record was lost.
        "2, NONE, 0, 0, NONE, 9, WAIT",
        "2, OPEN, 0, 0, NONE, 9, WAIT",
        "0, OPEN, 0, 0, NONE, 9, OPEN",
        "0, NONE, 0, 0, NONE, 9, DELETED",
        // The set was lost in a failover.
        "0, OPEN, 8, 8, NONE, 9, DELETED",
        "1, COUNTING, 8, 8, EXPIRED, 9, DELETED",
        // A count of Redisson.
        "1, OPEN, 8, 8, NONE, 0, WAIT",
        "1, COUNTING, 8, 8, NONE, 0, WAIT",
        "0, NONE, 0, 0, NONE, 0, OPEN"
    })
    void verdict(long count, How how, long generation, long since, How gone, long awaited, Verdict verdict) {
        assertThat(new LatchState(count, how, generation, since, gone, -1).verdict(awaited))
                .isEqualTo(verdict);
    }

    /** A count that is not the last one of ours has no generation. */
    @Test
    void present_isThatOfOurCount() {
        assertThat(new LatchState(2, How.COUNTING, 9, 9, How.NONE, 5).present()).isEqualTo(9);
        assertThat(new LatchState(2, How.OPEN, 9, 9, How.NONE, -1).present()).isZero();
        assertThat(new LatchState(0, How.OPEN, 9, 9, How.NONE, -2).present()).isZero();
    }

    /** In a cluster a name with a hash tag of its own does not do, since Redisson encloses it in the channel's. */
    @Test
    void key_isInOneSlot() {
        assertThat(new LatchKey("orders:42", "prod:").isInOneSlot()).isTrue();
        assertThat(new LatchKey("a{b", "").isInOneSlot()).isTrue();
        assertThat(new LatchKey("{orders}:42", "").isInOneSlot()).isFalse();
        assertThat(new LatchKey("orders:42", "{prod}:").isInOneSlot()).isFalse();
    }
}
