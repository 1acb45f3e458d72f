package dev.holdfast.internal.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of callers. Every message has the rule and the value. */
public final class Arguments {
    /**
     * A {@code long} of nanoseconds spans 292 years. A century is enough, and a time can be added to it without
     * overflow.
     */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** The largest number up to which Lua counts exactly. */
    public static final long MOST_COUNTED = (1L << 53) - 1;

    private static final int MOST_PERMITS = 1_000_000;

    private Arguments() {}

    public static String name(String name) {
        return name("lock", name);
    }

    /** {@return the name; {@code noun} says in messages what has it} */
    public static String name(String noun, String name) {
        String what = "the name of a " + noun;
        requireNonNull(what, name);
        if (name.isBlank()) {
            throw new IllegalArgumentException(what + " must not be blank, was \"" + name + "\"");
        }
        return encodable(what, name);
    }

    /** {@return the number, which has to be positive, and exact in Lua; {@code what} names it in messages} */
    public static long count(String what, long number) {
        if (number < 1 || number > MOST_COUNTED) {
            throw new IllegalArgumentException(what + " must be from 1 to " + MOST_COUNTED + ", was " + number);
        }
        return number;
    }

    /** {@return how many permits a semaphore has: from 1 to a million} */
    public static int limit(int permits) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException(
                    "the permits of a semaphore must be from 1 to " + MOST_PERMITS + ", were " + permits);
        }
        return permits;
    }

    /** {@return how many permits are requested of a semaphore with this limit} */
    public static int permits(int permits, int limit) {
        if (permits < 1 || permits > limit) {
            throw new IllegalArgumentException(
                    "permits must be from 1 to " + limit + ", which is all that there are, were " + permits);
        }
        return permits;
    }

    /** Half a surrogate pair cannot be encoded: two different names would become one key. */
    public static String encodable(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isHighSurrogate(text.charAt(i))
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(text.charAt(i))) {
                throw new IllegalArgumentException(
                        what + " must be valid Unicode, has half a surrogate pair at index " + i);
            }
        }
        return text;
    }

    public static Duration lease(Duration lease) {
        return lasting("lease", lease);
    }

    /** {@return the duration, at least a millisecond, which is what Redis counts; {@code what} names it in messages} */
    public static Duration lasting(String what, Duration duration) {
        requireNonNull(what, duration);
        if (duration.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException(what + " must be at least 1 ms, was " + duration);
        }
        return bounded(what, duration);
    }

    /** {@return the wait, capped at a century} A longer wait is as good as endless; a longer lease is a mistake. */
    public static Duration wait(Duration wait) {
        requireNonNull("wait", wait);
        if (wait.isNegative()) {
            throw new IllegalArgumentException("wait must not be negative, was " + wait + "; zero never waits");
        }
        return capped(wait);
    }

    /** {@return the wait, capped at a century; {@code what} names it in messages} */
    public static Duration waitAtMost(String what, Duration wait) {
        requireNonNull(what, wait);
        return capped(refuseNegative(what, wait));
    }

    private static Duration capped(Duration wait) {
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    /**
     * {@return the wait in nanoseconds} As everywhere in {@code java.util.concurrent}, a negative one does not wait.
     */
    public static long waitNanos(long wait, TimeUnit unit) {
        requireNonNull("unit", unit);
        return Math.min(Math.max(0, unit.toNanos(wait)), LONGEST.toNanos());
    }

    public static Duration positive(String what, Duration value) {
        requireNonNull(what, value);
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(what + " must be positive, was " + value);
        }
        return bounded(what, value);
    }

    public static Duration notNegative(String what, Duration value) {
        requireNonNull(what, value);
        return bounded(what, refuseNegative(what, value));
    }

    private static Duration refuseNegative(String what, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, was " + value);
        }
        return value;
    }

    /**
     * A negative delay closes at once: it is computed in a {@code finally}, where an exception would prevent the
     * release.
     */
    public static Duration closeDelay(Duration delay) {
        requireNonNull("delay", delay);
        return bounded("delay", delay);
    }

    private static void requireNonNull(String what, @Nullable Object value) {
        if (value == null) {
            throw new NullPointerException(what + " must not be null");
        }
    }

    private static Duration bounded(String what, Duration value) {
        if (value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(what + " must be at most " + LONGEST + ", was " + value);
        }
        return value;
    }
}
