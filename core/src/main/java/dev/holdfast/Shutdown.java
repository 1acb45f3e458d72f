package dev.holdfast;

import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes down what a client has open, one step after the other; what is closed first may still use the rest.
 *
 * <p>Each step is taken, whatever became of those before it: one that throws is logged, for a close has nothing else to do about
 * it, and one that does not end is waited for no longer than {@link #LONGEST_STEP}, and all of them together no longer than
 * {@link #LONGEST_WAIT}. After that the rest is begun and not awaited. An interrupt does not end a wait; the flag is set again.
 * For one thread.
 */
final class Shutdown {
    /** Event loops are given 2 s to end. */
    static final Duration LONGEST_STEP = Duration.ofMillis(2_500);

    static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    private Duration left = LONGEST_WAIT;

    /** Takes a step that ends when it returns. */
    Shutdown run(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            log.warn("Could not close {}; the rest is closed all the same", what, e);
        }
        return this;
    }

    /** Takes a step that ends with the stage it returns, well or not. */
    Shutdown await(String what, Supplier<? extends CompletionStage<?>> step) {
        return run(what, () -> await(what, step.get()));
    }

    /** Takes a step that ends with the driver's future. */
    Shutdown awaitDriver(String what, Supplier<? extends Future<?>> step) {
        return await(what, () -> stageOf(step.get()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what it fails with is logged
    private void await(String what, CompletionStage<?> end) {
        CompletableFuture<?> ending = end.toCompletableFuture();
        long beginNanos = System.nanoTime();
        Blocking.atMost(ending, left.compareTo(LONGEST_STEP) < 0 ? left : LONGEST_STEP);
        left = left.minusNanos(System.nanoTime() - beginNanos);
        if (left.isNegative()) {
            left = Duration.ZERO;
        }
        if (!ending.isDone()) {
            log.debug("{} did not close in time", what);
        } else if (ending.isCompletedExceptionally()) {
            ending.whenComplete((nothing, failure) -> log.debug("{} closed with a failure", what, failure));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is the listener that tells
    private static CompletionStage<?> stageOf(Future<?> future) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        future.addListener(done -> ended.complete(null));
        return ended;
    }
}
