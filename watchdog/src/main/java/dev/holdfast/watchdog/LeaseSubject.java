package dev.holdfast.watchdog;

/**
 * The callbacks of a kept lease, for the object that it belongs to. Its {@code toString} identifies the lease in the
 * logs.
 *
 * <p>Every method is called without a lock held, on the timer's thread or on the thread that completed the store's
 * reply; {@link #lost} also on any thread that discovers the loss by {@link KeptLease#confirmed},
 * {@link KeptLease#lose} or {@link KeptLease#expireIfDue}. Other leases wait for its return, so no method may block. An
 * exception of a method is logged and changes nothing.
 *
 * <p>{@link #lost} is called at most once, and never when {@link KeptLease#end} returned true. The other callbacks
 * report a moment: one that was decided on just before the lease ended or was lost can arrive just after.
 */
public interface LeaseSubject {
    /** The store extended the lease. */
    void renewed();

    /**
     * A renewal has had no reply for so long that half of the lease that was left when it was sent has passed. Called
     * once until the store replies to a renewal again.
     *
     * @param remainingNanos the time left until the lease is lost
     */
    void atRisk(long remainingNanos);

    /** The lease is lost; the keeper does nothing more for it. */
    void lost(LossCause loss);

    /**
     * {@return whether no owner is left to release the lease: its owner thread has died, its handle was
     * garbage-collected} Called before each renewal. Once true, the lease is no longer renewed and runs out.
     */
    boolean isAbandoned();

    /**
     * The lease is no longer renewed, because it is {@linkplain #isAbandoned() abandoned}. Called once.
     *
     * @param remainingNanos the time left until the lease is lost
     */
    void abandoned(long remainingNanos);
}
