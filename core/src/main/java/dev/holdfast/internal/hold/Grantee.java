package dev.holdfast.internal.hold;

/** A call that is under way, and that a hold can be granted to. */
public interface Grantee extends HoldRequest {
    /** {@return when the call began} */
    long startNanos();

    /**
     * The owner has the lock. The waiters are notified before the owner, since the owner's first action may be a
     * release.
     *
     * @return false if the call had ended before, and the hold is unwanted; if true, {@link #notifyGranted} is owed
     */
    boolean grant(Hold granted);

    /** Notifies the waiters and the owner that the lock was granted; called after {@link #grant}, once. */
    void notifyGranted();
}
