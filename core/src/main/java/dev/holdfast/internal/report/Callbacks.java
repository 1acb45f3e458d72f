package dev.holdfast.internal.report;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs user code, each callback as a task of its own on the user's executor.
 *
 * <pre>
 *          the executor accepts it                  the executor runs it
 *   READY -------------------------> SUBMITTED ------------------------------> RUN
 *     |                                                                         ^
 *     +-- the executor throws, or runs callbacks within callbacks too deeply ---+ on a thread of the client's own
 * </pre>
 *
 * <p>The step to RUN is taken once, also if an executor throws and runs the task all the same. An executor may run a task on
 * the thread that submits it: a thread of the driver or the timer, then, where blocking calls are refused. The client's own
 * threads are few, so callbacks that block can occupy them all; what must not wait for callbacks does not run there.
 */
public final class Callbacks implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);

    /** How many callbacks may run within one another on one thread. */
    private static final int DEEPEST = 16;

    /** How many callbacks the current thread is running, each within the one before. */
    private static final ThreadLocal<Integer> DEPTH = ThreadLocal.withInitial(() -> 0);

    private final CallbackThreads own = new CallbackThreads("lock-callback");

    /** For tasks of the client, which neither a callback nor the application can delay. */
    private final CallbackThreads internal = new CallbackThreads("lock-internal");

    private final Executor executor;
    private final AtomicBoolean refused = new AtomicBoolean();

    public Callbacks(Executor executor) {
        this.executor = makesThreads(executor) ? own : executor;
    }

    /** {@return whether it is the default executor, and starts a thread for each task; the client's own are reused} */
    private static boolean makesThreads(Executor executor) {
        return executor == new CompletableFuture<Void>().defaultExecutor() && !(executor instanceof ForkJoinPool);
    }

    /** {@return a future for users, which completes like the given one, but on the executor} */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure goes to the outer future
    public <T extends @Nullable Object> CompletableFuture<T> forUsers(CompletionStage<? extends T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        inner.whenComplete((value, failure) -> run(() -> end(outer, value, unwrapped(failure))));
        return outer;
    }

    /** A dependent stage wraps the exception of a failed one; users get the exception itself. */
    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static <T extends @Nullable Object> void end(
            CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            future.complete(value);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** Runs the callback on the executor; if that does not take it, on a thread of the client's own. */
    public void run(Runnable callback) {
        Task task = new Task(callback);
        if (DEPTH.get() >= DEEPEST) {
            own.execute(task);
            return;
        }
        try {
            executor.execute(task);
        } catch (Throwable refusal) {
            if (refused.compareAndSet(false, true)) {
                log.warn("The callback executor refuses callbacks, which run on threads of the client's own", refusal);
            }
            own.execute(task);
        }
    }

    /** {@return threads for tasks that must wait neither for callbacks nor for the application} */
    public Executor internalThreads() {
        return internal;
    }

    /** The client's own threads end when they have nothing to run. Callbacks are still run. */
    @Override
    public void close() {
        own.close();
        internal.close();
    }

    /** A callback, which is set when it begins. Neither its exception nor an interrupt status that it leaves is passed on. */
    private static final class Task extends AtomicBoolean implements Runnable {
        private static final long serialVersionUID = 1L;

        private final transient Runnable callback;

        Task(Runnable callback) {
            this.callback = callback;
        }

        @Override
        public void run() {
            if (!compareAndSet(false, true)) {
                return;
            }
            int depth = DEPTH.get();
            boolean interrupted = Thread.currentThread().isInterrupted();
            DEPTH.set(depth + 1);
            try {
                callback.run();
            } catch (Throwable e) {
                log.warn("A callback threw", e);
            } finally {
                DEPTH.set(depth);
            }
            if (!interrupted) {
                Thread.interrupted();
            }
        }
    }
}
