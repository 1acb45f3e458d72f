package dev.holdfast;

import dev.holdfast.redis.Call;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** How long Redis may have a {@link Hold}, whatever it has confirmed, and what it said of its renewal last. */
abstract class HoldInRedis {
    private static final AtomicIntegerFieldUpdater<HoldInRedis> PENDING_EXTENSIONS =
            AtomicIntegerFieldUpdater.newUpdater(HoldInRedis.class, "pendingExtensions");
    private static final AtomicLongFieldUpdater<HoldInRedis> ASKED_UNTIL =
            AtomicLongFieldUpdater.newUpdater(HoldInRedis.class, "askedUntilNanos");

    /** Commands under way, or without an answer, that make the lease longer in Redis. */
    private volatile int pendingExtensions;

    /** The latest end of the lease that any command has asked for, counted from when it was sent. */
    private volatile long askedUntilNanos;

    private volatile boolean renewalRefused;

    /** @param askedUntilNanos the end of the lease by the command that grants it */
    HoldInRedis(long askedUntilNanos) {
        this.askedUntilNanos = askedUntilNanos;
    }

    /** A command is about to be sent that makes the lease end at this time; whether it came, and when, may never be known. */
    final void extensionSent(long untilNanos) {
        PENDING_EXTENSIONS.incrementAndGet(this);
        asksUntil(untilNanos);
    }

    /** A command is about to be sent that gives the hold a lease until this time, if it does not have it. */
    final void asksUntil(long untilNanos) {
        ASKED_UNTIL.accumulateAndGet(this, untilNanos, HoldInRedis::later);
    }

    /** It is known what came of it. */
    final void extensionAnswered(Call call) {
        if (call.outcome() != Call.Outcome.UNKNOWN) {
            PENDING_EXTENSIONS.decrementAndGet(this);
        }
    }

    /** {@return whether it is not known what came of a command that makes the lease longer} */
    final boolean isExtensionPending() {
        return pendingExtensions > 0;
    }

    final long askedUntilNanos() {
        return askedUntilNanos;
    }

    /**
     * Redis was asked to renew the lease.
     *
     * @param refused whether it answered with an error; false also where it did not answer
     * @return whether it is refused now and was not the last time
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
}
