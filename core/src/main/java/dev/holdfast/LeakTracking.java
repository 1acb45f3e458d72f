package dev.holdfast;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How often the stack trace of an acquisition is recorded, in case its {@link Lease} is dropped without {@code close}.
 * A warning about a dropped lease is logged in any case, when it would be renewed after it was garbage-collected, or
 * when it is lost; this setting decides whether the warning can show where the lease was acquired. A lease that is
 * still referenced, for example by an action attached to its {@link Lease#lost()}, is not dropped.
 */
public enum LeakTracking {
    /** No acquisition is recorded, at no cost. */
    OFF,
    /** One acquisition in a hundred, at random: a leak that recurs shows its place before long. */
    SAMPLED,
    /**
     * Every acquisition, at a few microseconds and some hundred bytes for each lease: for tests, and to find a known
     * leak.
     */
    EVERY;

    private static final int ONE_IN = 100;

    /** {@return the stack trace of the calling thread, if this acquisition is to be recorded} */
    @Nullable
    Origin origin() {
        boolean remembered =
                this == EVERY || (this == SAMPLED && ThreadLocalRandom.current().nextInt(ONE_IN) == 0);
        return remembered ? new Origin() : null;
    }

    /** A place in the code, as a throwable that is only logged and never thrown. */
    static final class Origin extends Throwable {
        private static final long serialVersionUID = 1L;
        private static final String OURS = Origin.class.getPackageName();

        private Origin() {
            super("acquired by thread '" + Thread.currentThread().getName() + "'");
        }

        /** Removes this library's frames above those of the caller. */
        Origin fromCaller() {
            StackTraceElement[] frames = getStackTrace();
            int first = 0;
            while (first < frames.length && isOurs(frames[first].getClassName())) {
                first++;
            }
            setStackTrace(Arrays.copyOfRange(frames, first, frames.length));
            return this;
        }

        private static boolean isOurs(String type) {
            return type.startsWith(OURS) && type.lastIndexOf('.') == OURS.length();
        }
    }
}
