package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where code of users runs: on their executor, never on a thread of the driver or the timer. */
final class Callbacks {
    private final Executor executor;

    Callbacks(Executor executor) {
        this.executor = executor;
    }

    /** Completes a future that users attach to; on the common pool if the executor refuses to. */
    <T> void complete(CompletableFuture<T> future, T value) {
        run(() -> future.complete(value), why -> future.complete(value));
    }

    /** {@return a future for users, which ends like the given one, but on the executor} */
    @SuppressWarnings("FutureReturnValueIgnored") // what it fails with goes to the outer one
    <T extends @Nullable Object> CompletableFuture<T> forUsers(CompletionStage<? extends T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        inner.whenComplete((value, failure) -> {
            Runnable end = () -> end(outer, value, unwrapped(failure));
            run(end, why -> end.run());
        });
        return outer;
    }

    /** A stage that depends on a failed one wraps what that failed with; users are to see the thing itself. */
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

    /**
     * Hands the task to the executor.
     *
     * @param onRejected called instead, on the common pool, if the executor refuses it, in whatever way
     */
    void run(Runnable task, Consumer<Throwable> onRejected) {
        try {
            executor.execute(task);
        } catch (Throwable e) {
            ForkJoinPool.commonPool().execute(() -> onRejected.accept(e));
        }
    }
}
