package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waits until nothing is left. */
public final class Leftovers {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

    private Leftovers() {}

    /** {@return what is left: nothing as soon as that is so, else what is left after this time} */
    public static List<String> within(Duration longest, Supplier<List<String>> left) throws InterruptedException {
        long deadline = System.nanoTime() + longest.toNanos();
        List<String> found = left.get();
        while (!found.isEmpty() && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.sleep(POLL_INTERVAL.toNanos());
            found = left.get();
        }
        return found;
    }
}
