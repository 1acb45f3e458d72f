package dev.holdfast.internal.acquire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A future that its caller may complete as well as the client, and that is decided before it completes.
 *
 * <p>A {@link CompletableFuture} runs its dependent actions, on the completing thread, before {@code complete} or
 * {@code cancel} returns, and those actions may block. So each completion, by the caller or by the client, goes through
 * {@link #decide} first: exactly one of the two completes the future, and the other side gets the result of that before any
 * dependent action runs.
 */
public abstract class CallerFuture<T extends @Nullable Object> extends CompletableFuture<T> {
    private final AtomicBoolean decided = new AtomicBoolean();

    /**
     * The caller completes or cancels the future. Called at most once, before that is done; must not throw or block.
     */
    protected abstract void onCallerCompletes();

    /** {@return whether the side that calls this is the one that completes the future} If so, it must. */
    public final boolean decide() {
        return decided.compareAndSet(false, true);
    }

    public final void completeByClient(T value) {
        super.complete(value);
    }

    public final void failByClient(Throwable why) {
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

    /** The inherited method completes the future without calling {@link #complete}. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // an exception of the supplier completes this future
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
