package dev.holdfast;

import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A hold's handle as the hold knows it: not kept from being collected by that, and with where it was acquired if known. */
final class LeaseRef extends WeakReference<LeaseHandle> {
    private static final Logger log = LoggerFactory.getLogger(LeaseRef.class);

    private final LeakTracking.@Nullable Origin origin;
    private final AtomicBoolean warned = new AtomicBoolean();

    LeaseRef(LeaseHandle lease, LeakTracking.@Nullable Origin origin) {
        super(lease);
        this.origin = origin;
    }

    /** {@return whether nobody can close it any more} */
    boolean isDropped() {
        return get() == null;
    }

    /** Warns of it, once, if it was dropped. */
    void warnIfDropped(Hold hold, long remainingNanos) {
        if (isDropped() && warned.compareAndSet(false, true)) {
            long heldNanos = hold.lane().engine().now() - hold.sinceNanos();
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
