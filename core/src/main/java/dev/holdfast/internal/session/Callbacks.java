package dev.holdfast.internal.session;

import dev.holdfast.watchdog.Deadlines;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code: on the user's executor, never on a thread of the driver or the timer.
 *
 * <p>An executor may start a thread for each task. So it does not get each callback, but a <em>drain</em>, a task that
 * runs ready callbacks until none is left. One drain is enough while callbacks are quick. A callback that blocks
 * occupies its drain, and another drain runs the ready callbacks behind it:
 *
 * <pre>
 *           a callback is ready, and no drain is         the executor
 *           submitted or running                         begins
 *   NONE ------------------------------------> SUBMITTED --------------> RUNNING
 *     ^                                          |   ^                      |
 *     |  rejected: ready callbacks are too,      |   |  another one, if none is submitted and
 *     +-- if no other is submitted or running ---+   |  - the running ones are blocked,
 *     |                                              |  - they have not caught up from one check to the next, or
 *     |                                              +--- a loss is ready
 *     |                                                                     |
 *     +---------------- no callback is ready -------------------------------+
 * </pre>
 *
 * <ul>
 *   <li>The running drains are <em>blocked</em> if none has taken a callback for a millisecond. That is detected
 *       when the next callback becomes ready, or by a periodic check while callbacks are ready: ten milliseconds apart,
 *       and up to a second apart while none is taken. From then on, until no callback is ready, each drain that takes a
 *       callback and leaves others submits the next drain first: a hundred callbacks that block one after the other are
 *       detected once.
 *   <li>One drain at a time is submitted, so an executor without a free thread has one task in its queue. If the
 *       executor has begun none for a second, one more is submitted each second, at most as many as callbacks are
 *       ready, since it may have dropped the first. A drain is known to be dropped once it is unreachable, and is not
 *       counted any more.
 *   <li>If a drain is rejected while others run, it is submitted again at a later check. Rejected callbacks are
 *       reported on a {@linkplain CallbackThreads thread of the client's own}, by drains as well.
 *   <li>Losses are taken before all other callbacks, and do not wait for a drain to be found blocked.
 *   <li>An executor that runs tasks on the calling thread runs a callback that became ready during another one
 *       after that, not inside it: a drain within a drain does nothing.
 *   <li>After {@link #close} there is no timer for the checks, so a drain is submitted for each callback that is
 *       ready or becomes ready. If the executor then takes none for a second, the ready callbacks are rejected: the
 *       executor may have been shut down with drains in its queue.
 * </ul>
 */
public final class Callbacks implements AutoCloseable {
    private final CallbackThreads own = new CallbackThreads();
    private final Drains drains;

    /** Reports the callbacks that the users' executor does not run. */
    private final Drains refusals;

    public Callbacks(Executor executor, Deadlines deadlines) {
        this.refusals =
                new Drains(own, own, deadlines, (refused, why) -> refused.task().run());
        this.drains = new Drains(makesThreads(executor) ? own : executor, own, deadlines, this::refuse);
    }

    /** {@return whether it is the default executor, and starts a thread for each task; the client's own are reused} */
    private static boolean makesThreads(Executor executor) {
        return executor == new CompletableFuture<Void>().defaultExecutor() && !(executor instanceof ForkJoinPool);
    }

    /** Completes a future that reports a loss, before all other callbacks. */
    public <T> void completeFirst(CompletableFuture<T> future, T value) {
        drains.runFirst(new Drains.Callback(() -> future.complete(value), why -> future.complete(value)));
    }

    /** {@return a future for users, which completes like the given one, but on the executor} */
    @SuppressWarnings("FutureReturnValueIgnored") // a failure goes to the outer future
    public <T extends @Nullable Object> CompletableFuture<T> forUsers(CompletionStage<? extends T> inner) {
        CompletableFuture<T> outer = new CompletableFuture<>();
        inner.whenComplete((value, failure) -> {
            Runnable end = () -> end(outer, value, unwrapped(failure));
            run(end, why -> end.run());
        });
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

    /**
     * Runs the task on the executor, together with others that are ready.
     *
     * @param onRejected called instead, on a thread of the client's own, if the executor rejects the task in whatever
     * way
     */
    public void run(Runnable task, Consumer<Throwable> onRejected) {
        drains.run(new Drains.Callback(task, onRejected));
    }

    private void refuse(Drains.Callback refused, Throwable why) {
        refusals.run(new Drains.Callback(() -> refused.onRejected().accept(why), refused.onRejected()));
    }

    /**
     * {@return threads of the client's own, for tasks that must not run on the calling thread nor wait for the
     * executor}
     */
    public Executor ownThreads() {
        return own;
    }

    /** Called before the deadlines are closed. Callbacks that are or become ready are still run or rejected. */
    @Override
    public void close() {
        drains.close();
        refusals.close();
        own.close();
    }
}
