package dev.holdfast.script.latch;

import java.util.ArrayList;
import java.util.List;

/**
 * One command for a latch.
 *
 * @param client that sends it; empty if that is of no importance
 * @param number of it; the last one of several countdowns
 * @param count that it sets
 * @param lifetime milliseconds, of a set; 0 for one that is renewed
 * @param countdowns of a countdown
 */
record LatchStep(LatchVerb verb, String client, long number, long count, long lifetime, List<Down> countdowns) {
    static final String CHANNEL = "redisson_countdownlatch__channel__{latch}";

    /** The lifetime that each use renews, here. */
    static final long RENEWED = 3_000;

    /** One countdown; the generation is empty if it was not counted before. */
    record Down(long number, long by, String generation) {}

    static LatchStep set(String client, long number, long count, long lifetime) {
        return new LatchStep(LatchVerb.SET, client, number, count, lifetime, List.of());
    }

    static LatchStep countDown(String client, List<Down> countdowns) {
        return new LatchStep(
                LatchVerb.COUNT_DOWN,
                client,
                countdowns.get(countdowns.size() - 1).number(),
                0,
                0,
                countdowns);
    }

    static LatchStep of(LatchVerb verb, String client, long number) {
        return new LatchStep(verb, client, number, 2, 0, List.of());
    }

    long renewal() {
        return lifetime == 0 ? RENEWED : 0;
    }

    long life() {
        return lifetime == 0 ? RENEWED : lifetime;
    }

    List<Object> arguments() {
        return switch (verb) {
            case SET -> List.of(client, number, count, life(), renewal(), CHANNEL, "PUBLISH");
            case COUNT_DOWN -> {
                List<Object> words = new ArrayList<>(List.of(client, CHANNEL, "PUBLISH"));
                countdowns.forEach(down -> words.addAll(List.of(down.number(), down.by(), down.generation())));
                yield words;
            }
            case DELETE -> List.of(client, number, CHANNEL, "PUBLISH");
            case LOOK -> List.of();
            case REDISSON_SET -> List.of(1, count, "PUBLISH");
            case REDISSON_COUNT_DOWN -> List.of(0, "PUBLISH");
            case REDISSON_DELETE -> List.of(1, "PUBLISH");
        };
    }

    @Override
    public String toString() {
        return verb + " of " + client + " " + number
                + (verb == LatchVerb.SET ? " to " + count + ", " + lifetime + " ms" : "")
                + (countdowns.isEmpty() ? "" : " " + countdowns);
    }
}
