package dev.holdfast.watchdog;

/**
 * What a lease is held for, as far as the keeper cares: somebody to tell. Its {@code toString} names it in the logs.
 *
 * <p>Every method is called under no lock, on the timer's thread or on the thread that completed the store's answer, and {@link #lost}
 * also on whichever thread finds out: one that looks, confirms, or gives the lease up. Other leases wait meanwhile, so none may block. What a method throws is logged and changes nothing.
 *
 * <p>{@link #lost} is called at most once, and never when {@link KeptLease#end} answered true. The others are news of a
 * moment: one that was decided on just before the lease ended or was lost can arrive just after.
 */
public interface LeaseSubject {
    /** The store extended the lease. */
    void renewed();

    /**
     * A renewal has had no answer for so long that half of what was left when it was sent has gone. Called once until a
     * renewal is answered again.
     *
     * @param remainingNanos what is left until the lease is lost
     */
    void atRisk(long remainingNanos);

    /** The lease is lost; nothing is done for it any more. */
    void lost(LossCause loss);

    /**
     * {@return whether nobody is left to give the lease back: its owner thread has died, its handle was collected} Asked
     * before each renewal. Once true, the lease is renewed no more and runs out.
     */
    boolean isAbandoned();

    /**
     * The lease is renewed no more, because it is {@linkplain #isAbandoned() abandoned}. Called once.
     *
     * @param remainingNanos what is left until the lease is lost
     */
    void abandoned(long remainingNanos);
}
