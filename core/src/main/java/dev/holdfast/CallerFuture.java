package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that its caller may complete as well as the engine, and that is decided before it completes.
 *
 * <p>A {@link CompletableFuture} runs what depends on it, on the completing thread, before {@code complete} or {@code cancel}
 * returns, and that code may block. So the engine learns of a completion by the caller, and acts on its own, in {@link
 * #decide}: exactly one of the two completes the future, and the other learns it before any dependent action runs.
 */
abstract class CallerFuture<T extends @Nullable Object> extends CompletableFuture<T> {
    private final AtomicBoolean decided = new AtomicBoolean();

    /** The caller completes or cancels the future. Called once at most, before that is done; must not throw or block. */
    abstract void onCallerCompletes();

    /** {@return whether it is the engine that completes the future now} If so, it must. */
    final boolean decide() {
        return decided.compareAndSet(false, true);
    }

    final void completeByEngine(T value) {
        super.complete(value);
    }

    final void failByEngine(Throwable why) {
        super.completeExceptionally(why);
    }

    private boolean decideByCaller() {
        boolean first = decide();
        if (first) {
            onCallerCompletes();
        }
        return first;
    }

    @Override
    public boolean complete(T value) {
        return decideByCaller() && super.complete(value);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return decideByCaller() && super.completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return decideByCaller() ? super.cancel(mayInterruptIfRunning) : isCancelled();
    }

    /** The inherited one completes the future past {@link #complete}. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // what the supplier throws completes this future
    public CompletableFuture<T> completeAsync(Supplier<? extends T> supplier, Executor executor) {
        CompletableFuture.<T>supplyAsync(supplier::get, executor).whenComplete((value, failure) -> {
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(failure);
            }
        });
        return this;
    }

    @Override
    public void obtrudeValue(T value) {
        decideByCaller();
        super.obtrudeValue(value);
    }

    @Override
    public void obtrudeException(Throwable failure) {
        decideByCaller();
        super.obtrudeException(failure);
    }
}
