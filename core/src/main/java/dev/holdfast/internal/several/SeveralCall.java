package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.CallerFuture;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call for several locks, as its caller sees it.
 *
 * <pre>
 *             what it wants is held                     the caller has a future, and completes it
 *   PENDING -----------------------------> GRANTED ------ before it is delivered; or it is over ----> DECLINED
 *      |  \---- busy, and the wait is over ----> REFUSED
 *      |   \--- Redis failed; closed ----------> FAILED
 *      +------- interrupt; future completed ---> ABANDONED
 * </pre>
 *
 * <p>The future {@code outcome} is the state: the first completion of it is the one transition out of PENDING, so what
 * is granted after another one was refused, and the part that granted it releases it. A caller that blocks is unparked by
 * the thread that completes it; one that has a future gets the outcome on the callback executor, and what it declines
 * is {@linkplain #takeBack taken back}.
 *
 * @param <G> what is granted
 * @see "MultiCallTest, MultiLockServersTest"
 */
abstract class SeveralCall<G> {
    private final Session session;
    private final String what;
    private final CompletableFuture<Optional<G>> outcome = new CompletableFuture<>();

    /** @param what what is wanted, for messages */
    SeveralCall(Session session, String what) {
        this.session = session;
        this.what = what;
    }

    /** It has ended, in whatever way. Called once. */
    abstract void onEnd();

    /** Releases what was granted: the caller does not receive it. */
    abstract void takeBack(G granted);

    /** {@return why what was granted is not to be delivered any more; null if it is} */
    abstract @Nullable RuntimeException lossOf(G granted);

    final Session session() {
        return session;
    }

    final boolean isPending() {
        return !outcome.isDone();
    }

    /** {@return false if it had ended before: the grant is owed back} */
    final boolean grant(G granted) {
        return ended(outcome.complete(Optional.of(granted)));
    }

    final void refuse() {
        ended(outcome.complete(Optional.empty()));
    }

    final void fail(RuntimeException why) {
        ended(outcome.completeExceptionally(why));
    }

    /** {@return false if it had ended before, and may have been granted} */
    private boolean abandon() {
        return ended(outcome.cancel(false));
    }

    private boolean ended(boolean byThis) {
        if (byThis) {
            onEnd();
        }
        return byThis;
    }

    // --- A caller that blocks.

    /**
     * Waits for the outcome. An interrupt does not end the wait.
     *
     * @param result makes what the caller receives of what was granted; empty if it stayed busy. If it fails, or anything
     *     before it, the caller has no lock: the call is {@linkplain #decline declined}
     */
    public final <R> R await(Function<Optional<G>, R> result) {
        try {
            return result.apply(awaited(recordedWait()));
        } catch (Throwable e) {
            decline();
            throw e;
        }
    }

    private Optional<G> awaited(FlightEvents.Span wait) {
        try {
            return Blocking.forResult(outcome);
        } finally {
            end(wait);
        }
    }

    private FlightEvents.Span recordedWait() {
        return FlightEvents.areWaitsRecorded()
                ? FlightEvents.lockWait(what, session.owners().clientId())
                : FlightEvents.NONE;
    }

    private void end(FlightEvents.Span wait) {
        String how = !outcome.isDone() || outcome.isCancelled()
                ? "ABANDONED"
                : outcome.isCompletedExceptionally() ? "FAILED" : "";
        wait.end(how.isEmpty() ? outcome.join().isPresent() ? "GRANTED" : "REFUSED" : how);
    }

    /**
     * Waits for the outcome, or an interrupt.
     *
     * @param result as of {@link #await}
     */
    public final <R> R awaitInterruptibly(Function<Optional<G>, R> result) throws InterruptedException {
        try {
            FlightEvents.Span wait = recordedWait();
            Blocking.untilInterrupted(outcome);
            if (!outcome.isDone() && abandon()) {
                Thread.interrupted();
                end(wait);
                throw new InterruptedException("interrupted while waiting for " + what);
            }
            return result.apply(awaited(wait));
        } catch (Throwable e) {
            decline();
            throw e;
        }
    }

    // --- A caller that has a future.

    /**
     * {@return the caller's future}
     *
     * @param result what it completes with
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the delivery completes the caller's future
    public final <R> CompletableFuture<R> toFuture(Function<Optional<G>, R> result) {
        CallerFuture<R> future = new CallerFuture<>() {
            @Override
            protected void onCallerCompletes() {
                decline();
            }
        };
        outcome.whenComplete((granted, failure) -> {
            if (!outcome.isCancelled()) {
                session.callbacks().run(() -> deliver(future, result));
            }
        });
        return future;
    }

    private <R> void deliver(CallerFuture<R> future, Function<Optional<G>, R> result) {
        if (!future.decide()) {
            return;
        }
        R value;
        try {
            value = result.apply(deliverable());
        } catch (Throwable e) {
            decline();
            future.failByClient(e instanceof CompletionException && e.getCause() != null ? e.getCause() : e);
            return;
        }
        future.completeByClient(value);
    }

    private Optional<G> deliverable() {
        Optional<G> granted = outcome.join();
        RuntimeException lost = granted.map(this::lossOf).orElse(null);
        if (lost != null) {
            throw lost;
        }
        return granted;
    }

    /** The caller does not receive what it wants: gives the call up, or takes back what was granted. */
    private void decline() {
        boolean abandoned = !outcome.isDone() && abandon();
        if (!abandoned && !outcome.isCompletedExceptionally()) {
            outcome.join().ifPresent(this::takeBack);
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
