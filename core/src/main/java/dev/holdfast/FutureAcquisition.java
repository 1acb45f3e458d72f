package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition whose caller has a future. The lock is handed over by completing that future, on the callback executor;
 * whoever completes or cancels it first gets no lock, and what was granted meanwhile is released.
 *
 * @param <T> what the caller's future completes with
 */
final class FutureAcquisition<T extends @Nullable Object> extends Acquisition {
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private final Function<Hold, T> onGrant;
    private final Supplier<T> onRefusal;

    /**
     * @param onGrant makes what the future completes with when the lock is held
     * @param onRefusal makes what it completes with when the lock stayed busy
     */
    FutureAcquisition(Engine engine, Wanted wanted, Function<Hold, T> onGrant, Supplier<T> onRefusal) {
        super(engine, wanted);
        this.onGrant = onGrant;
        this.onRefusal = onRefusal;
    }

    /**
     * Begins.
     *
     * @return the caller's future
     */
    @SuppressWarnings("FutureReturnValueIgnored") // abandon does not throw
    CompletableFuture<T> begin() {
        future.whenComplete((value, failure) -> abandon());
        engine().begin(this);
        return future;
    }

    @Override
    void onSettled(State how) {
        if (how == State.ABANDONED) {
            return;
        }
        engine().callbacks().run(this::deliver, this::handOverRefused);
    }

    private void deliver() {
        Hold granted = hold();
        RuntimeException why = failure();
        if (state() == State.GRANTED && granted != null) {
            handOver(granted);
        } else if (state() == State.FAILED && why != null) {
            future.completeExceptionally(why);
        } else {
            future.complete(onRefusal.get());
        }
    }

    /** The executor may have taken its time: what has run out or was lost meanwhile is not handed over. */
    private void handOver(Hold granted) {
        boolean over = granted.isOver();
        boolean taken = over
                ? future.completeExceptionally(engine().failures().lost(granted, granted.lossOfOver()))
                : future.complete(onGrant.apply(granted));
        if (over || !taken) {
            engine().releaseUnwanted(granted, level());
        }
    }

    /** The callback executor takes nothing: nobody would ever learn of the lock. */
    private void handOverRefused(Throwable why) {
        Hold granted = hold();
        if (state() == State.GRANTED && granted != null) {
            engine().releaseUnwanted(granted, level());
        }
        future.completeExceptionally(new LockException(
                "the callback executor refused to complete the future for lock '" + lock() + "'; it is not held", why));
    }

    @Override
    @Nullable
    Thread boundThread() {
        return null;
    }
}
