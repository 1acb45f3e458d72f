package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How an answer of {@code inspect.lua} is read. */
final class LookingTest {
    private static LockInfo read(Object... seen) {
        return Looking.read("orders", List.of(seen)).orElseThrow();
    }

    /** A hold of ours is its owner and its count; the tenure is not shown. */
    @Test
    void read_held() {
        LockInfo expected = held(Optional.empty(), Optional.empty());
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", "9")).isEqualTo(expected);
        assertThat(read(1500L, "c:1:tenure", "9", "c:1", "2")).isEqualTo(expected);
        assertThat(expected.isLocked()).isTrue();
    }

    /** A tenure that was drawn by the clock says since when, and a client that has a label is known by it. */
    @Test
    void read_sinceAndLabel() {
        Instant since = Instant.parse("2026-02-03T04:05:06.789Z");
        String tenure = since.toEpochMilli() + "123";
        LockInfo expected = held(Optional.of("pod 7"), Optional.of(since));
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", tenure, "c:label", "pod 7"))
                .isEqualTo(expected);
        assertThat(read(1500L, "c:label", "pod 7", "c:1:tenure", tenure, "c:1", "2"))
                .isEqualTo(expected);
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", "no number").since()).isEmpty();
    }

    private static LockInfo held(Optional<String> label, Optional<Instant> since) {
        Optional<Duration> left = Optional.of(Duration.ofMillis(1500));
        return new LockInfo("orders", Optional.of("c:1"), label, 2, left, since, OptionalInt.empty());
    }

    /** A hold of another program has no tenure. */
    @Test
    void read_withoutTenure() {
        assertThat(read(1500L, "c:1", "1").owner()).hasValue("c:1");
    }

    /** A lease without end is no duration. */
    @Test
    void read_withoutEnd() {
        assertThat(read(-1L, "c:1", "1").remainingLease()).isEmpty();
    }

    /** A hash whose values are no counts belongs to another kind of lock, or to another program. */
    @Test
    void read_ofAnotherKind() {
        assertThat(Looking.read("orders", List.of(1500L, "mode", "read", "c:1", "1")))
                .isEmpty();
    }

    /** A free lock has neither owner nor lease. */
    @Test
    void read_free() {
        LockInfo free = read(-2L);
        assertThat(free)
                .isEqualTo(new LockInfo(
                        "orders",
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        Optional.empty(),
                        Optional.empty(),
                        OptionalInt.empty()));
        assertThat(free.isLocked()).isFalse();
    }
}
