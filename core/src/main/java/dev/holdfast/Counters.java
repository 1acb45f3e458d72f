package dev.holdfast;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a client; any thread may count, and none blocks another. */
final class Counters {
    private final Tally<Count> counts = new Tally<>(Count.class);
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

    void count(Count what) {
        counts.add(what, 1);
    }

    void count(Count what, long number) {
        counts.add(what, number);
    }

    void lost(LossReason reason) {
        losses.add(reason, 1);
    }

    HoldfastStats stats(long holds, long waiters) {
        Map<Count, Long> seen = counts.sums();
        seen.put(Count.HOLDS, holds);
        seen.put(Count.WAITERS, waiters);
        return new HoldfastStats(seen, losses.sums());
    }
}
