package dev.holdfast.campaign.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Draws from one seed: the same values in the same order on every JVM. Not thread-safe. */
final class Dice {
    /** The number of seeds that can be drawn. */
    static final int SEEDS = 1_000_000_000;

    private final Random random;

    Dice(long seed) {
        this.random = new Random(seed);
    }

    /** {@return a seed for other dice; short enough to be typed} */
    long seed() {
        return random.nextInt(SEEDS);
    }

    /** {@return a number from 0 to below this one} */
    int below(int end) {
        return random.nextInt(end);
    }

    boolean chance(int percent) {
        return below(100) < percent;
    }

    /** {@return a duration between these two, with a resolution of a microsecond} */
    Duration between(Duration shortest, Duration longest) {
        long micros = TimeUnit.NANOSECONDS.toMicros(longest.minus(shortest).toNanos());
        return shortest.plusNanos(TimeUnit.MICROSECONDS.toNanos((long) (random.nextDouble() * micros)));
    }

    /** {@return a duration of at most this length} */
    Duration upTo(Duration longest) {
        return between(Duration.ZERO, longest);
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(below(choices.size()));
    }

    <T> List<T> shuffled(List<T> cards) {
        List<T> deck = new ArrayList<>(cards);
        Collections.shuffle(deck, random);
        return deck;
    }
}
