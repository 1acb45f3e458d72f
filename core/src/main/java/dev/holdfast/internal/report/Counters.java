package dev.holdfast.internal.report;

import dev.holdfast.HoldfastStats;
import dev.holdfast.HoldfastStats.Counter;
import dev.holdfast.LossReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a client; any thread may count, and none blocks another. */
public final class Counters {
    private final Tally<Counter> counts = new Tally<>(Counter.class);
    private final Tally<LossReason> losses = new Tally<>(LossReason.class);

    /** A counter for each constant; the map itself is never modified. */
    private static final class Tally<E extends Enum<E>> {
        private final Class<E> type;
        private final Map<E, LongAdder> numbers;

        Tally(Class<E> type) {
            this.type = type;
            this.numbers = new EnumMap<>(type);
            for (E constant : type.getEnumConstants()) {
                numbers.put(constant, new LongAdder());
            }
        }

        void add(E what, long number) {
            Objects.requireNonNull(numbers.get(what)).add(number);
        }

        Map<E, Long> sums() {
            Map<E, Long> sums = new EnumMap<>(type);
            numbers.forEach((what, number) -> sums.put(what, number.sum()));
            return sums;
        }
    }

    void count(Counter what) {
        counts.add(what, 1);
    }

    void count(Counter what, long number) {
        counts.add(what, number);
    }

    void lost(LossReason reason) {
        losses.add(reason, 1);
    }

    public HoldfastStats stats(long holds, long waiters) {
        Map<Counter, Long> seen = counts.sums();
        seen.put(Counter.HOLDS, holds);
        seen.put(Counter.WAITERS, waiters);
        return HoldfastStats.of(seen, losses.sums());
    }
}
