package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.session.TimeLimit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread enters locks again that it holds together, and waits for what Redis says about them, if that has to be asked. Its
 * hold is as before if the wait ends without a reply: what was requested of Redis may be executed all the same.
 */
public final class MultiReentry {
    private final Session session;
    private final String what;
    private final List<String> names;
    private final CompletableFuture<@Nullable Void> confirmed;
    private final Supplier<@Nullable Outage> outage;

    /**
     * @param what the locks, for messages
     * @param names their names
     * @param confirmed completes when Redis has confirmed that they are held; completed if it need not be asked
     * @param outage of a node of theirs; null if there is none
     */
    public MultiReentry(
            Session session,
            String what,
            List<String> names,
            CompletableFuture<@Nullable Void> confirmed,
            Supplier<@Nullable Outage> outage) {
        this.session = session;
        this.what = what;
        this.names = names;
        this.confirmed = confirmed.copy();
        this.outage = outage;
    }

    /**
     * Returns when the locks are held. An interrupt does not end the wait.
     *
     * @param waitNanos as that of {@link #awaitInterruptibly}
     */
    public void await(long waitNanos) {
        TimeLimit limit = limit(waitNanos);
        try {
            Blocking.forResult(confirmed);
        } finally {
            limit.cancel();
        }
    }

    /**
     * Returns when the locks are held.
     *
     * @param waitNanos for how long a reply is awaited, and a moment longer; 0 for a command timeout, and not at all during
     *     an outage; {@link AcquireRequest#FOR_EVER} for as long as a command may take
     * @throws InterruptedException if the thread was interrupted while it waited; its flag is cleared
     */
    public void awaitInterruptibly(long waitNanos) throws InterruptedException {
        TimeLimit limit = limit(waitNanos);
        try {
            Blocking.untilInterrupted(confirmed);
        } finally {
            limit.cancel();
        }
        if (!confirmed.isDone() && Thread.interrupted()) {
            throw new InterruptedException("interrupted while Redis was asked whether " + what + " are held");
        }
        Blocking.forResult(confirmed);
    }

    private TimeLimit limit(long waitNanos) {
        long startNanos = session.now();
        Runnable over = () -> confirmed.completeExceptionally(
                session.exceptions().reentryUnanswered(what, names, session.now() - startNanos));
        if (waitNanos == AcquireRequest.FOR_EVER || confirmed.isDone()) {
            return TimeLimit.none(session.deadlines());
        }
        Outage known = waitNanos == 0 ? outage.get() : null;
        if (known != null) {
            confirmed.completeExceptionally(session.exceptions().reentryNotConnected(what, names, known));
        }
        long longestNanos = waitNanos == 0 ? session.commandTimeoutNanos() : waitNanos;
        return TimeLimit.at(session.deadlines(), startNanos + longestNanos, over);
    }
}
