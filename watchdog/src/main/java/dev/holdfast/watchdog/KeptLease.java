package dev.holdfast.watchdog;

import org.jspecify.annotations.Nullable;

/**
 * One lease that a {@link LeaseKeeper} keeps, from {@link LeaseKeeper#keep} until {@link #end} or its loss, whichever
 * is first; exactly one of the two happens.
 *
 * <p>The lease is valid until the time just before the last confirmed command was <em>sent</em>, plus the lease that
 * the command requested, less the drift allowance, on the monotonic clock. That is a promise about time, not about the
 * data: a thread that is paused after a query can act on a lease that has run out during the pause, and a store that loses
 * data, or fails over to a replica that lags, can grant the lease to another client early.
 *
 * <p>Safe for use by any thread. No method blocks, sends a command to the store, or throws.
 */
public sealed interface KeptLease permits LeaseLife {
    /**
     * {@return whether the lease is held and has not run out} Also false when the machine seems to have been suspended
     * and the store has not replied since: the monotonic clock may have stopped during the suspend, the store's clock
     * did not.
     */
    boolean isValid();

    /**
     * {@return whether the lease is held and has time left on the monotonic clock} Unlike {@link #isValid} it stays
     * true after the machine seems to have been suspended: the store may still have the lease, and a request will show
     * it.
     */
    boolean isRunning();

    /** {@return how long the lease is still valid; zero exactly when {@link #isValid} is false} */
    long remainingNanos();

    /**
     * {@return why the lease was lost, which its subject was or is about to be notified of; null if it was not lost}
     */
    @Nullable
    LossCause loss();

    /**
     * A command that keeps the lease has a positive reply: the lease is valid until {@code sentNanos + leaseNanos},
     * less drift, if that is later than before. It is never shortened by it, except by the length of a suspend that was
     * detected before the command was sent. Does nothing when the lease is over. If its time has passed by now, this
     * call loses it, and notifies the subject on this thread: a lease that may have been seen as over does not become
     * valid again.
     *
     * @param sentNanos the time just before the command was sent, on the scale of {@link Deadlines#nanoTime()}
     * @param leaseNanos the lease that the command requested
     * @return whether the lease is still kept; false when it is lost or has ended
     */
    boolean confirmed(long sentNanos, long leaseNanos);

    /**
     * Changes the policy: a watched lease is renewed every third of the watchdog timeout, an unwatched one runs out. A
     * renewal that is in flight still counts when its reply arrives.
     */
    void watch(boolean watched);

    /**
     * The lease was released: the keeper does nothing more for it, and ignores replies that are still outstanding.
     *
     * @return false when it had been lost before, and its subject was or is being notified; true otherwise, also when
     *     called again
     */
    boolean end();

    /**
     * The caller has discovered by itself that this client no longer has the lease; notifies the subject with
     * {@link LossCause#REFUSED} on this thread.
     *
     * @return true when this call is the one that lost it; false when it was lost or had ended before
     */
    boolean lose();

    /**
     * Loses the lease now if its time has passed, not at the next tick, and notifies the subject on this thread. For a
     * caller that is about to act on the state of the subject.
     */
    void expireIfDue();

    /**
     * {@return until when the lease is valid as far as is known, on the scale of {@link Deadlines#nanoTime()}} For a
     * lease that is over it is the last known value. Unlike {@link #isValid} it ignores a suspected suspend.
     */
    long validUntilNanos();

    /**
     * {@return the time just before the command was sent that confirmed the lease last} For a lease that was
     * {@linkplain LeaseKeeper#keepUnconfirmed handed off} and is not confirmed yet, the command that last confirmed its
     * predecessor.
     */
    long lastConfirmedNanos();

    /** {@return the time just before the command was sent that started the lease} */
    long startedNanos();
}
