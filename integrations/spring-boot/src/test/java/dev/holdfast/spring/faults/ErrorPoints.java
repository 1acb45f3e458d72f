package dev.holdfast.spring.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The points at which a woven class calls another one. While a scene is played, they are counted, and one of them may
 * throw an error.
 */
public final class ErrorPoints {
    /** Guarded by the class. */
    private static final List<String> PASSED = new ArrayList<>();

    /** Guarded by the class. 0 for none. */
    private static int failing;

    /** Guarded by the class. */
    private static @Nullable Supplier<? extends Error> error;

    private ErrorPoints() {}

    /** Counts the points from now on; the one of this number throws. */
    static synchronized void arm(int number, Supplier<? extends Error> thrown) {
        PASSED.clear();
        failing = number;
        error = thrown;
    }

    /** {@return the points that were passed since {@link #arm}, the one that has thrown included} */
    static synchronized List<String> disarm() {
        List<String> passed = List.copyOf(PASSED);
        error = null;
        return passed;
    }

    /** Called by woven code. */
    public static synchronized void point(String where) {
        Supplier<? extends Error> thrown = error;
        if (thrown != null) {
            PASSED.add(where);
            if (PASSED.size() == failing) {
                throw thrown.get();
            }
        }
    }
}
