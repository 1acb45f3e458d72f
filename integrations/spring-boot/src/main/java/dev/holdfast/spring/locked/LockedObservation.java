package dev.holdfast.spring.locked;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The call of a method under a lock, or with permits, as an observer sees it: from their request to their release. */
interface LockedObservation {
    /** Nobody observes. */
    LockedObservation NONE = new LockedObservation() {
        @Override
        public Scope open() {
            return () -> {};
        }

        @Override
        public void stop(Outcome outcome, @Nullable Throwable error) {}
    };

    /** Makes the observation that of the current thread. */
    Scope open();

    /** Ends the observation. Does not throw: the method has run. */
    void stop(Outcome outcome, @Nullable Throwable error);

    /** Ends when it is closed, on the same thread, which does not throw. */
    interface Scope {
        void close();
    }

    /** Starts observations. */
    @FunctionalInterface
    interface Source {
        /** {@return the observation of a call, which has started} */
        LockedObservation start(LockedCall call);
    }

    /** How a call ended. */
    enum Outcome {
        /** The method ran under the lock, or with the permits. */
        COMPLETED,
        /** They stayed busy. */
        BUSY,
        /** They were lost during the call. */
        LOST,
        /** The method or Redis failed, or the result was cancelled. */
        FAILED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
