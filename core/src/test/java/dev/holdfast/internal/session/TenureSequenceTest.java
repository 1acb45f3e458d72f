package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.TenureTime;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tenures of holds: they grow, whatever the clock does, and give the time they were drawn if the clock behaves. */
@Tag("pure")
final class TenureSequenceTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");

    private final AtomicLong wall = new AtomicLong(NOW.toEpochMilli());
    private final TenureSequence tenures = new TenureSequence(wall::get);

    /** A tenure is the time it was drawn, also if many are drawn within a millisecond. */
    @Test
    void next_isTheTime() {
        assertThat(TenureTime.drawnAt(tenures.next())).hasValue(NOW);
        assertThat(TenureTime.drawnAt(tenures.next())).hasValue(NOW);
        wall.addAndGet(1_500);
        assertThat(TenureTime.drawnAt(tenures.next())).hasValue(NOW.plusMillis(1_500));
    }

    /** A clock that stops or goes back neither repeats a tenure nor produces a smaller one. */
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

    /** A clock that is a hundred years off does not produce a tenure that Lua cannot distinguish from the next. */
    @Test
    void next_isExactInLua() {
        wall.set(Instant.parse("9999-01-01T00:00:00Z").toEpochMilli());
        long first = tenures.next();
        assertThat(first).isPositive();
        assertThat(tenures.next()).isEqualTo(first + 1).isLessThan(1L << 53);
        assertThat(TenureTime.drawnAt(first)).isEmpty();
    }

    /** Concurrent threads draw different tenures. */
    @Test
    void next_byMany() {
        Set<Long> drawn = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 20_000).parallel().forEach(i -> drawn.add(tenures.next()));
        assertThat(drawn).hasSize(20_000);
    }

    /** A count is not read as a time, nor is a number outside a clock's range. */
    @Test
    void drawnAt_ofNoClock() {
        assertThat(TenureTime.drawnAt(1)).isEmpty();
        assertThat(TenureTime.drawnAt(Long.MAX_VALUE)).isEmpty();
    }
}
