package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.Hold;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition whose caller has a future. The lock is delivered by completing that future, on the callback executor.
 *
 * <pre>
 *                 the executor runs {@link #deliver}, and the hold is not over
 *   UNDECIDED ---------------------------------------------------------------> ACCEPTED
 *       |
 *       +--- the caller completes or cancels the future; or the hold is
 *            over by now, or the future's value cannot be made --------------> DECLINED
 * </pre>
 *
 * <p>The one transition is made in {@link CallerFuture#decide}. A level that was granted and is declined is released at
 * once, before any action that depends on the future runs. So what the caller does next finds nothing of it; but another
 * acquire of the owner that was submitted before may have re-entered the hold before the release.
 *
 * @param <T> what the caller's future completes with
 */
public final class FutureAcquisition<T extends @Nullable Object> extends Acquisition {
    private final Function<Hold, T> onGrant;
    private final Supplier<T> onRefusal;

    private final CallerFuture<T> future = new CallerFuture<>() {
        @Override
        protected void onCallerCompletes() {
            decline();
        }
    };

    /**
     * @param onGrant makes the value that the future completes with if the lock is held
     * @param onRefusal makes the value that it completes with if the lock stayed busy
     */
    public FutureAcquisition(
            Acquisitions all, AcquireRequest wanted, Function<Hold, T> onGrant, Supplier<T> onRefusal) {
        super(all, wanted);
        this.onGrant = onGrant;
        this.onRefusal = onRefusal;
    }

    /**
     * Begins the acquisition.
     *
     * @return the caller's future
     */
    public CompletableFuture<T> begin() {
        all().begin(this);
        return future;
    }

    @Override
    protected void onSettled(State how) {
        if (how == State.ABANDONED) {
            return;
        }
        session().callbacks().run(this::deliver);
    }

    private void deliver() {
        if (!future.decide()) {
            return;
        }
        T result;
        try {
            result = result();
        } catch (Throwable e) {
            decline();
            future.failByClient(e);
            return;
        }
        future.completeByClient(result);
    }

    /** The executor may have run this late: a hold that has run out or was lost before is not delivered. */
    private T result() {
        Hold granted = hold();
        RuntimeException why = failure();
        if (state() == State.GRANTED && granted != null) {
            if (granted.isOver()) {
                throw granted.exceptionFor(granted.lossOfOver());
            }
            return onGrant.apply(granted);
        }
        if (state() == State.FAILED && why != null) {
            throw why;
        }
        return onRefusal.get();
    }

    @Override
    public @Nullable Thread boundThread() {
        return null;
    }
}
