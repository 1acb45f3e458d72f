package dev.holdfast.watchdog;

import org.jspecify.annotations.Nullable;

/**
 * One lease in the care of a {@link LeaseKeeper}, from {@link LeaseKeeper#keep} until {@link #end} or its loss, whichever
 * is first; exactly one of the two happens.
 *
 * <p>The lease is valid until the time before the last confirmed command was <em>sent</em>, plus what that command asked
 * for, less the drift allowance, on the monotonic clock. That is a promise about time, not about the world: a thread that
 * is paused after looking can act on a lease that has run out meanwhile, and a store that loses data, or fails over to a
 * replica that lags, gives a lease away early.
 *
 * <p>Safe for use by any thread. No method blocks or talks to the store, none throws.
 */
public sealed interface KeptLease permits LeaseLife {
    /**
     * {@return whether the lease is held and has not run out} False also while the machine seems to have been suspended
     * and the store has not been heard since: the monotonic clock may have stood still in a suspend, the store's did not.
     */
    boolean isValid();

    /**
     * {@return whether the lease is held and has time left on the monotonic clock} Unlike {@link #isValid} it stays true
     * while the machine seems to have been suspended: the store may still have the lease, and will say so when asked.
     */
    boolean isRunning();

    /** {@return how long the lease is still valid; zero exactly when {@link #isValid} is false} */
    long remainingNanos();

    /** {@return why the lease was lost, which its subject was told or is about to be; null of one that was not} */
    @Nullable
    LossCause loss();

    /**
     * A command that keeps the lease was answered positively: the lease is valid until {@code sentNanos + leaseNanos}, less
     * drift, if that is later than before. It never gets shorter by it, except by the length of a suspend that was noticed
     * before the command was sent. Does nothing when the lease is over. If its time has passed by now, it is lost by this call,
     * and the subject told so on this thread: what has been seen to be over does not come back.
     *
     * @param sentNanos the time just before the command was sent, on the scale of {@link Deadlines#nanoTime()}
     * @param leaseNanos what the command asked for
     * @return whether the lease is still kept; false when it is lost or has ended
     */
    boolean confirmed(long sentNanos, long leaseNanos);

    /**
     * Changes the policy: a watched lease is renewed every third of the watchdog timeout, an unwatched one runs out. A
     * renewal that is on its way still counts when it is answered.
     */
    void watch(boolean watched);

    /**
     * The lease was given back: nothing more is done for it, and what is still on its way is ignored.
     *
     * @return false when it had been lost before, and was or is being told so; true otherwise, also the second time
     */
    boolean end();

    /**
     * The caller has learnt by itself that the lease is not ours any more; tells the subject {@link LossCause#REFUSED} on this
     * thread.
     *
     * @return true when this call is the one that lost it; false when it was lost or had ended before
     */
    boolean lose();

    /**
     * Loses the lease now if its time has passed, not at the next tick, and tells the subject so on this thread. For the
     * caller who is about to act on what the subject was told.
     */
    void expireIfDue();

    /**
     * {@return until when the lease is valid as far as is known, on the scale of {@link Deadlines#nanoTime()}} Of a lease
     * that is over it is what was known last. Other than {@link #isValid} it does not doubt while the machine seems to have
     * been suspended.
     */
    long validUntilNanos();

    /**
     * {@return the time before the command was sent that confirmed the lease last} Of a lease that was
     * {@linkplain LeaseKeeper#keepUnconfirmed handed on} and is not confirmed yet: the one that it was handed on from.
     */
    long lastConfirmedNanos();

    /** {@return the time before the command was sent that the lease began with} */
    long startedNanos();
}
