package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.wait.Busy;
import dev.holdfast.internal.wait.JoinedQueue;
import dev.holdfast.internal.wait.LockWaiter;
import org.jspecify.annotations.Nullable;

/** A queue of waiters whose own attempts send nothing that could find the lock busy, or fail. */
abstract class LocalQueue implements JoinedQueue {
    @Override
    public final void granting(LockWaiter winner, Hold hold) {}

    @Override
    public final Enlists.@Nullable Unit asksForPlace(LockWaiter tries) {
        return null;
    }

    @Override
    public final void busy(LockWaiter tried, Busy found) {
        throw sendsNothing(tried);
    }

    @Override
    public final void failed(LockWaiter tried, RuntimeException why) {
        throw sendsNothing(tried);
    }

    @Override
    public final void silent(LockWaiter tried, @Nullable Throwable cause) {
        throw sendsNothing(tried);
    }

    @Override
    public final void troubled(@Nullable Throwable cause) {}

    @Override
    public final @Nullable Throwable trouble() {
        return null;
    }

    private IllegalStateException sendsNothing(LockWaiter tried) {
        return new IllegalStateException("the attempt of " + tried + " sends no command");
    }
}
