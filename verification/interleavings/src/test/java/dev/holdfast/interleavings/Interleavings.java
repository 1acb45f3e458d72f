package dev.holdfast.interleavings;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckSettings;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario repeatedly, each time with another order of its threads: a model checker stops a thread before any
 * access to shared memory, lock or unlock, and lets another one run. It begins with the orders that have few such
 * switches, and ends when it has tried all or as many as the bound allows. A failure shows its order as a table of what
 * each thread did.
 *
 * <p>Memory is sequentially consistent here: faults that need a weaker order of reads and writes are not found.
 */
public final class Interleavings {
    /** {@code -Dinterleavings.bound}: how many orders are tried for each scenario. */
    private static final int BOUND = Integer.getInteger("interleavings.bound", 10);

    /**
     * A scenario that ends after fewer orders has threads that never interact, or was cut short: it would show nothing.
     */
    private static final int LEAST = Math.min(BOUND, 50);

    /**
     * The checker treats a loop of many rounds as a wait, and cuts the scenario short. No loop here waits; only the
     * checker's own entry point allows that to be configured.
     */
    private static final LincheckSettings PATIENT = new LincheckSettings(true, 1_000, 10_000, 100);

    private Interleavings() {}

    /**
     * Tries a scenario and prints the number of its orders. The scenario creates all it uses anew each time, and by a
     * plain {@code new}: the checker does not recognize an object as shared between threads if it was created in
     * another way, for example by a constructor reference.
     */
    public static void explore(Runnable scenario) {
        AtomicInteger orders = new AtomicInteger();
        long start = System.nanoTime();
        try {
            Lincheck.runConcurrentTestInternal$lincheck(BOUND, PATIENT, () -> {
                orders.incrementAndGet();
                scenario.run();
            });
        } finally {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            System.out.printf("%s: %d orders, %d ms%n", caller(), orders.get(), millis);
        }
        require(orders.get() >= LEAST, "at least " + LEAST + " orders can be tried, was " + orders);
    }

    static String caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(
                                frame -> !frame.getClassName().startsWith(Interleavings.class.getPackageName()))
                        .findFirst()
                        .map(frame -> frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName())
                        .orElseThrow());
    }

    /**
     * Within a scenario: runs each part on a thread of its own, and returns when all have ended; throws what one threw.
     */
    public static void together(Runnable... parts) {
        Thread[] threads = new Thread[parts.length];
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        for (int i = 0; i < parts.length; i++) {
            Runnable part = parts[i];
            threads[i] = new Thread(() -> {
                try {
                    part.run();
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("no thread is interrupted here", e);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a thread of the scenario failed: " + failed, failed);
        }
    }

    /** Within a scenario: requires a condition that must hold at this point, in any order. */
    public static void require(boolean holds, String property) {
        if (!holds) {
            throw new AssertionError("violated: " + property);
        }
    }
}
