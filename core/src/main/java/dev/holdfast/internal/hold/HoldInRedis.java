package dev.holdfast.internal.hold;

import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Whether Redis may know of a {@link Hold}, how long it may keep it, and whether it refused the last renewal. */
abstract class HoldInRedis {
    private static final AtomicIntegerFieldUpdater<HoldInRedis> PENDING_EXTENSIONS =
            AtomicIntegerFieldUpdater.newUpdater(HoldInRedis.class, "pendingExtensions");
    private static final AtomicLongFieldUpdater<HoldInRedis> REQUESTED_UNTIL =
            AtomicLongFieldUpdater.newUpdater(HoldInRedis.class, "requestedUntilNanos");

    /** The number of commands, in flight or of unknown outcome, that extend the lease in Redis. */
    private volatile int pendingExtensions;

    /** The latest end of the lease that any command has requested, counted from the time it was sent. */
    private volatile long requestedUntilNanos;

    private volatile boolean renewalRefused;

    /** Whether no command was sent so far that gives it the lock. */
    private volatile boolean unsent;

    /** The home that confirmed it last, or granted it; null if the lock has moved since. */
    private volatile @Nullable Home confirmedBy;

    /** @param requestedUntilNanos the end of the lease that the granting command requests */
    HoldInRedis(long requestedUntilNanos) {
        this.requestedUntilNanos = requestedUntilNanos;
    }

    /** A command that extends the lease until this time is about to be sent; its outcome may stay unknown. */
    public final void extensionSent(long untilNanos) {
        PENDING_EXTENSIONS.incrementAndGet(this);
        requestsUntil(untilNanos);
    }

    /** A command that sets the lease until this time, unless the hold has one already, is about to be sent. */
    public final void requestsUntil(long untilNanos) {
        REQUESTED_UNTIL.accumulateAndGet(this, untilNanos, HoldInRedis::later);
    }

    /** The command has completed; one of unknown outcome stays pending. */
    public final void extensionAnswered(Call call) {
        if (call.outcome() != Call.Outcome.UNKNOWN) {
            PENDING_EXTENSIONS.decrementAndGet(this);
        }
    }

    /** {@return whether a command that extends the lease is in flight or of unknown outcome} */
    final boolean isExtensionPending() {
        return pendingExtensions > 0;
    }

    final long requestedUntilNanos() {
        return requestedUntilNanos;
    }

    /** It has the lock by a handoff that was not sent to Redis so far. */
    public final void noteUnsent() {
        unsent = true;
    }

    /** A command that gives it the lock is about to be sent. */
    public final void noteSent() {
        unsent = false;
    }

    /** {@return whether Redis may know of it} */
    public final boolean isSent() {
        return !unsent;
    }

    /**
     * Records the result of a renewal.
     *
     * @param refused whether Redis answered with an error; false also if it did not answer
     * @return whether this renewal was refused and the one before was not
     */
    final boolean renewalRefused(boolean refused) {
        boolean before = renewalRefused;
        renewalRefused = refused;
        return refused && !before;
    }

    /** {@return whether Redis answered the last renewal with an error} */
    final boolean isRenewalRefused() {
        return renewalRefused;
    }

    /** {@return the later of two times of the monotonic clock} */
    static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
    }

    /** {@return whether this home has granted or confirmed it, and no other has the lock since} */
    public final boolean isConfirmedBy(Home home) {
        return confirmedBy == home;
    }

    /** A home of the lock has granted or confirmed it. */
    public final void confirmedBy(@Nullable Home home) {
        confirmedBy = home;
    }

    /** It begins by a handoff: it is known where the previous hold was. */
    public final void continues(HoldInRedis previous) {
        confirmedBy = previous.confirmedBy;
    }
}
