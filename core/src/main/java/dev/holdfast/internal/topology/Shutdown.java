package dev.holdfast.internal.topology;

import dev.holdfast.internal.session.Blocking;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the resources of a client, one step after the other; a resource that is closed first may still use the later
 * ones.
 *
 * <p>Each step is executed, whatever the outcome of those before it. If a step throws, that is logged, since a close
 * cannot do more about it. A step that does not end is awaited for {@link #LONGEST_STEP} at most, and all of them
 * together for {@link #LONGEST_WAIT}. After that the remaining steps are begun and not awaited. An interrupt does not
 * end a wait; the interrupt status is set again. Used by one thread.
 */
public final class Shutdown {
    /** Longer than the 2 s that the event loops get to terminate. */
    static final Duration LONGEST_STEP = Duration.ofMillis(2_500);

    public static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);

    private Duration left = LONGEST_WAIT;

    /** Executes a step that ends when it returns. */
    public Shutdown run(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            log.warn("Could not close {}; the rest is closed all the same", what, e);
        }
        return this;
    }

    /** Executes a step that ends when the stage it returns completes, normally or exceptionally. */
    Shutdown await(String what, Supplier<? extends CompletionStage<?>> step) {
        return run(what, () -> await(what, step.get()));
    }

    /** Executes a step that ends when the driver's future completes. */
    Shutdown awaitDriver(String what, Supplier<? extends Future<?>> step) {
        return await(what, () -> stageOf(step.get()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is logged
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

    @SuppressWarnings("FutureReturnValueIgnored") // the listener reports it
    private static CompletionStage<?> stageOf(Future<?> future) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        future.addListener(done -> ended.complete(null));
        return ended;
    }
}
