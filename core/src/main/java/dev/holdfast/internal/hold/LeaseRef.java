package dev.holdfast.internal.hold;

import dev.holdfast.internal.session.AcquireOrigin;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hold's weak reference to its handle, with the place where the handle was acquired, if leak tracking recorded it.
 */
public final class LeaseRef extends WeakReference<HoldHandle> {
    private static final Logger log = LoggerFactory.getLogger(LeaseRef.class);

    private final @Nullable AcquireOrigin origin;
    private final AtomicBoolean warned = new AtomicBoolean();

    public LeaseRef(HoldHandle lease, @Nullable AcquireOrigin origin) {
        super(lease);
        this.origin = origin;
    }

    /** {@return whether the handle was collected, so that it cannot be closed any more} */
    boolean isDropped() {
        return get() == null;
    }

    /**
     * Logs a warning, once, if the handle was dropped.
     *
     * @param hold the lock and its owner
     * @param heldNanos the time since it was acquired
     */
    void warnIfDropped(String hold, long heldNanos, long remainingNanos) {
        if (isDropped() && warned.compareAndSet(false, true)) {
            log.warn(
                    "{} was acquired {} ms ago, and its Lease dropped without close; it is not renewed, lost in {} ms{}",
                    hold,
                    TimeUnit.NANOSECONDS.toMillis(heldNanos),
                    TimeUnit.NANOSECONDS.toMillis(remainingNanos),
                    origin == null ? "; leakTracking(EVERY) would show where" : ", and was",
                    origin == null ? null : origin.fromCaller());
        }
    }
}
