package dev.holdfast.spring.locked;

import org.jspecify.annotations.Nullable;

/** Failures of a call and of what has to be done after it all the same. */
final class Failures {
    private Failures() {}

    /** Releases a lock after a failure, which stays that of the call. */
    static void releaseAfter(Throwable failure, Runnable release) {
        try {
            release.run();
        } catch (Throwable e) {
            suppress(failure, e);
        }
    }

    /** Adds what failed later to what failed first; a loss that was reported to the method itself is not reported twice. */
    static void suppress(Throwable failure, @Nullable Throwable later) {
        if (later != null && later != failure) {
            failure.addSuppressed(later);
        }
    }
}
