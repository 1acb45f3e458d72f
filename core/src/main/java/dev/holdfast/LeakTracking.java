package dev.holdfast;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * How much is remembered of where a {@link Lease} was acquired, in case it is dropped without {@code close}. A dropped one is
 * warned of in any case, when it would be renewed after it was collected, or when it is lost; this decides whether the
 * warning can show the place. One that is still referred to, as by an action given to its {@link Lease#lost()}, is not dropped.
 */
public enum LeakTracking {
    /** Nothing is remembered, and nothing spent on it. */
    OFF,
    /** One acquisition in a hundred: what leaks again and again shows its place before long. */
    SAMPLED,
    /** Each acquisition, for a few microseconds and some hundred bytes of a lease: for tests, and for a hunt. */
    EVERY;

    private static final int ONE_IN = 100;

    /** {@return where the calling thread is, if this acquisition is to be remembered} */
    @Nullable
    Origin origin() {
        boolean remembered =
                this == EVERY || (this == SAMPLED && ThreadLocalRandom.current().nextInt(ONE_IN) == 0);
        return remembered ? new Origin() : null;
    }

    /** A place in the code, as a throwable that shows it in a log and is never thrown. */
    static final class Origin extends Throwable {
        private static final long serialVersionUID = 1L;
        private static final String OURS = Origin.class.getPackageName();

        private Origin() {
            super("acquired by thread '" + Thread.currentThread().getName() + "'");
        }

        /** Takes away the frames of ours that the caller's stand below. */
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
