package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition on behalf of a call that concerns several locks. Its outcome is reported to that call as a whole, which
 * decides whether a grant is wanted: if it is not, {@link #releaseUnwanted} is owed.
 *
 * <p>The whole may give a part up before it has begun, or while another thread begins it: it is abandoned by whichever
 * of {@link #begin} and {@link #giveUp} comes last.
 */
public final class PartAcquisition extends Acquisition {
    /** What the part belongs to. */
    @FunctionalInterface
    public interface Whole {
        /**
         * The part was granted, was refused or has failed; called once, on a thread that must not be blocked. Not called
         * for a part that was given up in time.
         */
        void settled(PartAcquisition part, State how);
    }

    private final int index;
    private final @Nullable Thread boundThread;
    private final Whole whole;

    /** Sends the first attempt; null if it is sent by itself. */
    private final @Nullable JointAttempt joint;

    /** Why it did not begin; written before the whole is notified. */
    private volatile @Nullable RuntimeException notBegun;

    /** Whether its lock was not acquired because of another one; written before the whole is notified. */
    private volatile boolean heldBack;

    private volatile boolean begun;
    private volatile boolean givenUp;

    /**
     * @param index the number of the lock among the several
     * @param boundThread the thread with which the hold is to end; null if it does not end with a thread
     * @param joint sends the first attempt, with those of other parts; null if it is sent by itself
     */
    public PartAcquisition(
            Acquisitions all,
            AcquireRequest wanted,
            int index,
            @Nullable Thread boundThread,
            @Nullable JointAttempt joint,
            Whole whole) {
        super(all, wanted);
        this.index = index;
        this.boundThread = boundThread;
        this.whole = whole;
        this.joint = joint;
    }

    /**
     * Begins the acquisition. It fails if the client is closed, as if it had begun before that, since the call has; or if its
     * owner has the lock as another kind.
     */
    public void begin() {
        if (givenUp) {
            return;
        }
        try {
            all().begin(this);
        } catch (IllegalStateException refused) {
            notBegun = session().admission().isClosing()
                    ? session().exceptions().closedWhileWaiting(lock(), ownerId())
                    : refused;
            whole.settled(this, State.FAILED);
            return;
        }
        begun = true;
        if (givenUp) {
            abandon();
        }
    }

    /** It is not wanted any more. If it is granted all the same, the whole is notified. */
    public void giveUp() {
        givenUp = true;
        if (begun) {
            abandon();
        }
    }

    /** Releases what was granted to it. */
    public void releaseUnwanted() {
        Release.beginUnwanted(granted(), level());
    }

    /** {@return what was granted to it} */
    public Hold granted() {
        Hold granted = hold();
        if (granted == null) {
            throw new IllegalStateException("not granted: " + lock());
        }
        return granted;
    }

    /** {@return why it has failed} */
    public RuntimeException whyFailed() {
        RuntimeException why = notBegun == null ? failure() : notBegun;
        if (why == null) {
            throw new IllegalStateException("not failed: " + lock());
        }
        return why;
    }

    /** {@return whether it was refused only because another lock was not acquired by the same command} */
    public boolean isHeldBack() {
        return heldBack;
    }

    /** {@return whether it has failed since Redis did not answer, so that another one may succeed} */
    public boolean isSilent() {
        return isUnanswered();
    }

    /** {@return whether Redis has reported the lock as busy no longer than the command timeout ago} */
    public boolean isBusy() {
        return isKnownBusy(session().now());
    }

    /** {@return whether Redis has reported the lock as busy after this time} */
    public boolean isBusySince(long nanos) {
        return lastBusyNanos() - nanos > 0;
    }

    /** Has the lock's queue attempt again if the last reply would soon be too old. */
    public void refresh() {
        refresh(session().now());
    }

    public LockKey key() {
        return lock();
    }

    public int index() {
        return index;
    }

    @Override
    boolean sendsJointly(Home home, Claim claim, Call call) {
        return joint != null && joint.add(home, lane().registry().group(lock()), claim, call);
    }

    @Override
    void heldBack() {
        heldBack = true;
        refuse();
    }

    @Override
    boolean publishesBusy() {
        return !heldBack && (joint == null || !joint.isOfWaiting());
    }

    @Override
    protected void onSettled(State how) {
        if (how != State.ABANDONED) {
            whole.settled(this, how);
        }
    }

    @Override
    public @Nullable Thread boundThread() {
        return boundThread;
    }

    @Override
    public String toString() {
        return "part " + index + " of several, " + lock();
    }
}
