package dev.holdfast;

import dev.holdfast.watchdog.Deadlines;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where code of users runs: on their executor, never on a thread of the driver or the timer.
 *
 * <p>An executor may make a thread for each task it is given. So it is not given each callback, but a <em>drain</em>, which
 * runs what is ready until nothing is. One is enough while callbacks are quick; one that blocks occupies its drain, and what
 * is ready behind it is run by another:
 *
 * <pre>
 *           a callback is ready, and no drain is         the executor
 *           submitted or running                         begins
 *   NONE ------------------------------------> SUBMITTED --------------> RUNNING
 *     ^                                          |   ^                      |
 *     |  rejected: what is ready is refused,     |   |  another one, if none is submitted and
 *     +-- if no other is submitted or running ---+   |  - the running ones are blocked,
 *     |                                              |  - they have not caught up from one look to the next, or
 *     |                                              +--- a loss is ready
 *     |                                                                     |
 *     +---------------- nothing is ready -----------------------------------+
 * </pre>
 *
 * <ul>
 *   <li><em>Blocked</em> are the running drains if none has taken a callback for a millisecond. That is noticed when the next
 *       callback becomes ready, or else by a look every ten milliseconds while something is. From then on, until nothing is
 *       ready, each drain that takes a callback and leaves others submits the next drain first: a hundred that block one
 *       after the other are found blocked once.
 *   <li>One drain at a time is submitted, so an executor without a free thread has one task in its queue. If it has begun
 *       none for a second, it is given one more each second, at most as many as callbacks are ready, for it may have dropped
 *       the first. One that it is known to have dropped, because nothing refers to it any more, counts no longer.
 *   <li>A rejected drain beside others is submitted again at a look. What is refused is told on a {@linkplain CallbackThreads
 *       thread of the client's own}, by drains likewise.
 *   <li>Losses are taken before all others, and do not wait for a drain to be found blocked.
 *   <li>An executor that runs tasks on the calling thread runs a callback that became ready within a callback after it, not
 *       inside: a drain within a drain does nothing.
 *   <li>After {@link #close} there is no timer that looks, so a drain is submitted for each callback that is ready and for
 *       each that becomes so. If the executor then takes none for a second, those are refused: it may have been shut down
 *       with drains in its queue.
 * </ul>
 */
final class Callbacks implements AutoCloseable {
    private final CallbackThreads own = new CallbackThreads();
    private final Drains drains;

    /** What the users' executor does not run. */
    private final Drains refusals;

    Callbacks(Executor executor, Deadlines deadlines) {
        this.refusals =
                new Drains(own, own, deadlines, (refused, why) -> refused.task().run());
        this.drains = new Drains(makesThreads(executor) ? own : executor, own, deadlines, this::refuse);
    }

    /** {@return whether it is the default executor where that has a thread for each task: ours are used again} */
    private static boolean makesThreads(Executor executor) {
        return executor == new CompletableFuture<Void>().defaultExecutor() && !(executor instanceof ForkJoinPool);
    }

    /** Completes a future that users attach to. */
    <T> void complete(CompletableFuture<T> future, T value) {
        run(() -> future.complete(value), why -> future.complete(value));
    }

    /** Completes a future that tells of a loss, before all other callbacks. */
    <T> void completeFirst(CompletableFuture<T> future, T value) {
        drains.runFirst(new Drains.Callback(() -> future.complete(value), why -> future.complete(value)));
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
     * Has the task run by the executor, together with others that are ready.
     *
     * @param onRejected called instead, on a thread of the client's own, if the executor refuses it, in whatever way
     */
    void run(Runnable task, Consumer<Throwable> onRejected) {
        drains.run(new Drains.Callback(task, onRejected));
    }

    private void refuse(Drains.Callback refused, Throwable why) {
        refusals.run(new Drains.Callback(() -> refused.onRejected().accept(why), refused.onRejected()));
    }

    /** {@return threads of the client's own, for what must not run on the calling thread nor wait for the users' executor} */
    Executor ownThreads() {
        return own;
    }

    /** The deadlines are about to be closed. What is ready, and what becomes ready from now on, is still run or refused. */
    @Override
    public void close() {
        drains.close();
        refusals.close();
        own.close();
    }
}
