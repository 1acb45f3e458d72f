package dev.holdfast.campaign.soak;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Reports to the parent process what an actor has held. */
final class Reports {
    private static final Duration LONGEST_SECTION = Duration.ofMillis(6);

    private final Kind kind;
    private final int client;
    private final Random random;
    private final Consumer<SoakAnswer> parent;

    Reports(Kind kind, int client, Random random, Consumer<SoakAnswer> parent) {
        this.kind = kind;
        this.client = client;
        this.random = random;
        this.parent = parent;
    }

    /**
     * Works while something is held, which was just granted, and reports for how long it was certainly valid. The clock is read after
     * the grant, and before the check at the end.
     *
     * @param names of what is held together
     */
    void hold(List<String> names, BooleanSupplier valid, int weight, int capacity, long token) {
        long from = System.nanoTime();
        work();
        long checked = System.nanoTime();
        long until = valid.getAsBoolean() ? checked : from;
        for (String name : names) {
            report(name, from, until, weight, capacity, token);
        }
    }

    /** Takes a moment. */
    void work() {
        LockSupport.parkNanos((long) (random.nextDouble() * LONGEST_SECTION.toNanos()));
    }

    /** A latch was used. */
    void used() {
        long now = System.nanoTime();
        report("", now, now, 0, 0, 0);
    }

    private void report(String name, long from, long until, int weight, int capacity, long token) {
        parent.accept(new SoakAnswer.Worked(client, kind, name, from, until, weight, capacity, token));
    }
}
