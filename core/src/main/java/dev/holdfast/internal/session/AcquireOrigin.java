package dev.holdfast.internal.session;

import dev.holdfast.LeakTracking;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The place in the code where a handle was acquired, or is waited for, as a throwable that is only logged and never thrown. */
public final class AcquireOrigin extends Throwable {
    private static final long serialVersionUID = 1L;
    private static final String OURS = LeakTracking.class.getPackageName();

    /** With {@link LeakTracking#SAMPLED}, one acquisition in so many is recorded. */
    private static final int ONE_IN = 100;

    private AcquireOrigin(String what) {
        super(what + " by thread '" + Thread.currentThread().getName() + "'");
    }

    /** {@return the stack trace of the calling thread, which waits} */
    public static AcquireOrigin ofWait() {
        return new AcquireOrigin("waited for");
    }

    /** {@return the stack trace of the calling thread; null if this acquisition is not to be recorded} */
    public static @Nullable AcquireOrigin of(LeakTracking tracking) {
        boolean recorded =
                switch (tracking) {
                    case OFF -> false;
                    case SAMPLED -> ThreadLocalRandom.current().nextInt(ONE_IN) == 0;
                    case EVERY -> true;
                };
        return recorded ? new AcquireOrigin("acquired") : null;
    }

    /** Removes this library's frames above those of the caller. */
    public AcquireOrigin fromCaller() {
        StackTraceElement[] frames = getStackTrace();
        int first = 0;
        while (first < frames.length && isOurs(frames[first].getClassName())) {
            first++;
        }
        setStackTrace(Arrays.copyOfRange(frames, first, frames.length));
        return this;
    }

    private static boolean isOurs(String type) {
        return (type.startsWith(OURS) && type.lastIndexOf('.') == OURS.length())
                || type.startsWith(OURS + ".internal.");
    }
}
