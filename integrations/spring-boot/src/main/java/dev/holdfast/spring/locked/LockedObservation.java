package dev.holdfast.spring.locked;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The call of a method under a lock as an observer sees it: from the request of the lock to its release. */
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
        /**
         * {@return the observation of a call, which has started}
         *
         * @param name the name of the method's lock without its key, one of few
         * @param lockName the name of the lock, or those of all
         */
        LockedObservation start(String name, String lockName);
    }

    /** How a call ended. */
    enum Outcome {
        /** The method ran under the lock. */
        COMPLETED,
        /** The lock stayed busy. */
        BUSY,
        /** The lock was lost during the call. */
        LOST,
        /** The method or Redis failed, or the result was cancelled. */
        FAILED;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
