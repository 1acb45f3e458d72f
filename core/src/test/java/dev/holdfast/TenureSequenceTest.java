package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The numbers of holds: they grow, whatever the clock does, and say when they were drawn if it does nothing odd. */
final class TenureSequenceTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");

    private final AtomicLong wall = new AtomicLong(NOW.toEpochMilli());
    private final TenureSequence tenures = new TenureSequence(wall::get);

    /** A number is the time it was drawn, also where many are drawn within a millisecond. */
    @Test
    void next_isTheTime() {
        assertThat(TenureSequence.drawnAt(tenures.next())).hasValue(NOW);
        assertThat(TenureSequence.drawnAt(tenures.next())).hasValue(NOW);
        wall.addAndGet(1_500);
        assertThat(TenureSequence.drawnAt(tenures.next())).hasValue(NOW.plusMillis(1_500));
    }

    /** A clock that stands still or goes back makes no number that was there before, nor a smaller one. */
    @Test
    void next_growsWhateverTheClockDoes() {
        long before = tenures.next();
        for (long millis : new long[] {0, 0, -3_600_000, 5, -NOW.toEpochMilli(), Long.MIN_VALUE / 2_000, 0}) {
            wall.addAndGet(millis);
            long next = tenures.next();
            assertThat(next).isGreaterThan(before);
            before = next;
        }
    }

    /** A clock that is off by a hundred years does not make a number that Lua cannot tell from the next. */
    @Test
    void next_isExactInLua() {
        wall.set(Instant.parse("9999-01-01T00:00:00Z").toEpochMilli());
        long first = tenures.next();
        assertThat(first).isPositive();
        assertThat(tenures.next()).isEqualTo(first + 1).isLessThan(1L << 53);
        assertThat(TenureSequence.drawnAt(first)).isEmpty();
    }

    /** Many who draw at once draw different numbers. */
    @Test
    void next_byMany() {
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 20_000).parallel().forEach(i -> drawn.add(tenures.next()));
        assertThat(drawn).hasSize(20_000);
    }

    /** A count is no time, nor is what no clock shows. */
    @Test
    void drawnAt_ofNoClock() {
        assertThat(TenureSequence.drawnAt(1)).isEmpty();
        assertThat(TenureSequence.drawnAt(Long.MAX_VALUE)).isEmpty();
    }
}
