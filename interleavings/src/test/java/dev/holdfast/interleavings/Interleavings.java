package dev.holdfast.interleavings;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckSettings;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario again and again, each time with another order of what its threads do: a model checker stops a thread
 * before any access to shared memory, lock or unlock, and lets another go on. It begins with the orders that have few such
 * switches, and ends when it has tried all or as many as the bound allows. What it finds can be read in the failure, as a
 * table of what each thread did.
 *
 * <p>Memory is sequentially consistent in all this: what only a weaker order of reads and writes can break is not found.
 */
public final class Interleavings {
    /** {@code -Dinterleavings.bound}: how many orders are tried for each scenario. */
    private static final int BOUND = Integer.getInteger("interleavings.bound", 10);

    /** A scenario that is over after fewer has threads that never meet, or was cut short: it would show nothing. */
    private static final int LEAST = Math.min(BOUND, 50);

    /**
     * The checker takes a loop of many rounds for one that waits, and cuts the scenario short. Nothing waits in a loop here;
     * and only its own entry point lets that be said.
     */
    private static final LincheckSettings PATIENT = new LincheckSettings(true, 1_000, 10_000, 100);

    private Interleavings() {}

    /**
     * Tries a scenario and prints in how many orders that was. It makes all it uses anew each time, and by a plain {@code new}:
     * of an object that was made in another way, by a reference to its constructor for one, the checker does not know that
     * threads share it.
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
        require(orders.get() >= LEAST, "at least " + LEAST + " orders were there to try, tried were " + orders);
    }

    static String caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(
                                frame -> !frame.getClassName().startsWith(Interleavings.class.getPackageName()))
                        .findFirst()
                        .map(frame -> frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName())
                        .orElseThrow());
    }

    /** Within a scenario: runs each part on a thread of its own, and returns when all have ended; throws what one threw. */
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
            throw new AssertionError("nobody interrupts here", e);
        }
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("a thread of the scenario failed: " + failed, failed);
        }
    }

    /** Within a scenario: what must be true at this point, whoever came first. */
    public static void require(boolean holds, String property) {
        if (!holds) {
            throw new AssertionError("not so: " + property);
        }
    }
}
