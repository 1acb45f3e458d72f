package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A thread enters locks again that it holds together, and waits for what Redis says about them, if that has to be asked. Its
 * hold is as before if the wait ends without a reply: what was requested of Redis may be executed all the same.
 */
public final class MultiReentry {
    private final Session session;
    private final String what;
    private final List<String> names;
    private final CompletableFuture<@Nullable Void> told;

    /**
     * @param what the locks, for messages
     * @param names their names
     * @param told completes when Redis has confirmed that they are held; completed if it need not be asked
     */
    public MultiReentry(Session session, String what, List<String> names, CompletableFuture<@Nullable Void> told) {
        this.session = session;
        this.what = what;
        this.names = names;
        this.told = told.copy();
    }

    /** Returns when the locks are held. An interrupt does not end the wait. */
    public void await() {
        Blocking.forResult(told);
    }

    /**
     * Returns when the locks are held.
     *
     * @param waitNanos for how long a reply is awaited, and a moment longer; 0 and {@link AcquireRequest#FOR_EVER} for as long
     *     as a command may take
     * @throws InterruptedException if the thread was interrupted while it waited; its flag is cleared
     */
    public void awaitInterruptibly(long waitNanos) throws InterruptedException {
        long startNanos = session.now();
        Deadline end = Deadline.of(() -> told.completeExceptionally(
                session.exceptions().reentryUnanswered(what, names, session.now() - startNanos)));
        if (waitNanos > 0 && waitNanos < AcquireRequest.FOR_EVER && !told.isDone()) {
            session.deadlines().schedule(end, startNanos + waitNanos + MultiCall.GRACE_NANOS);
        }
        try {
            Blocking.untilInterrupted(told);
        } finally {
            session.deadlines().cancel(end);
        }
        if (!told.isDone() && Thread.interrupted()) {
            throw new InterruptedException("interrupted while Redis was asked whether " + what + " are held");
        }
        Blocking.forResult(told);
    }
}
