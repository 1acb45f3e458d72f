package dev.holdfast.examples.limit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Counts the calls that the service has at once, and those of each worker. */
final class Occupancy {
    private static final int NONE = -1;

    private final int[] calls;

    /** Those of the calls at this moment. */
    private final List<Integer> numbers = new ArrayList<>();

    private int mostAtOnce;
    private int clashes;
    private int awaited = NONE;
    private CompletableFuture<Count> beforeAwaited = new CompletableFuture<>();

    Occupancy(int workers) {
        calls = new int[workers];
    }

    /** A call begins. */
    synchronized void begin(int worker, int number) {
        if (number == awaited) {
            awaited = NONE;
            beforeAwaited.complete(next());
        }
        if (numbers.contains(number)) {
            clashes++;
        }
        numbers.add(number);
        mostAtOnce = Math.max(mostAtOnce, numbers.size());
        calls[worker]++;
    }

    /** A call ends. */
    synchronized void end(int number) {
        numbers.remove(Integer.valueOf(number));
    }

    /** {@return what was counted since the last time} */
    synchronized Count next() {
        Count count = new Count(Arrays.stream(calls).boxed().toList(), mostAtOnce, clashes);
        Arrays.fill(calls, 0);
        mostAtOnce = numbers.size();
        clashes = 0;
        return count;
    }

    /** {@return what will have been counted when the next call with this number begins} */
    synchronized CompletableFuture<Count> before(int number) {
        awaited = number;
        beforeAwaited = new CompletableFuture<>();
        return beforeAwaited;
    }
}
