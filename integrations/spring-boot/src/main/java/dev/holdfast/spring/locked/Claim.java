package dev.holdfast.spring.locked;

import dev.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each call of a method acquires, whatever the name is. */
sealed interface Claim {
    HoldAnnotation annotation();

    /** {@return what a call acquires} Of permits, there is one name. */
    Target target(Holdfast client, List<String> names);

    /**
     * {@return why it cannot have this name beside that claim of the same annotation, or null if it can}
     *
     * @param other the claim of another method
     */
    @Nullable
    String conflict(String name, Claim claim, Method other);

    /**
     * Locks.
     *
     * @param mode whether calls share them
     * @param fenced whether they are fenced ones
     */
    record OfLocks(LockedMode mode, boolean fenced) implements Claim {
        /** @throws IllegalArgumentException if the attributes contradict each other */
        static OfLocks read(Attributes attributes, @Nullable Duration keepFor) {
            LockedMode mode = attributes.constant("mode", LockedMode.class);
            boolean fenced = attributes.flag("fenced");
            if (mode != LockedMode.EXCLUSIVE && fenced) {
                throw new IllegalArgumentException(
                        "a fenced lock has no mode, was " + mode + ": leave out fenced, or the mode");
            }
            if (mode == LockedMode.READ && keepFor != null) {
                throw new IllegalArgumentException("a lock that is shared cannot be kept busy for its readers, keepFor"
                        + " was " + keepFor + ": use WRITE, or leave out the mode");
            }
            return new OfLocks(mode, fenced);
        }

        @Override
        public HoldAnnotation annotation() {
            return HoldAnnotation.LOCKED;
        }

        @Override
        public Target target(Holdfast client, List<String> names) {
            return new LockTarget(client, names, mode, fenced);
        }

        @Override
        public @Nullable String conflict(String name, Claim claim, Method other) {
            if (!(claim instanceof OfLocks that) || isReadWrite() == that.isReadWrite()) {
                return null;
            }
            return "the lock " + name + " has the mode " + mode + " here, and " + that.mode + " in " + other
                    + ", so that each would fail while the other runs: make both READ or WRITE, or give one of"
                    + " them another name";
        }

        private boolean isReadWrite() {
            return mode != LockedMode.EXCLUSIVE;
        }
    }

    /**
     * Permits.
     *
     * @param limit how many there are
     * @param take how many a call acquires
     */
    record OfPermits(int limit, int take) implements Claim {
        /** As many as a semaphore may have. */
        private static final int MOST = 1_000_000;

        /** @throws IllegalArgumentException if there are not as many permits as a call acquires */
        static OfPermits read(Attributes attributes) {
            int limit = attributes.number("permits");
            int take = attributes.number("take");
            if (limit < 1 || limit > MOST) {
                throw new IllegalArgumentException("permits must be from 1 to " + MOST + ", was " + limit);
            }
            if (take < 1 || take > limit) {
                throw new IllegalArgumentException(
                        "take must be from 1 to " + limit + ", which is all that there are, was " + take);
            }
            return new OfPermits(limit, take);
        }

        @Override
        public HoldAnnotation annotation() {
            return HoldAnnotation.LIMITED;
        }

        @Override
        public Target target(Holdfast client, List<String> names) {
            return new PermitsTarget(client, names.get(0), limit, take);
        }

        @Override
        public @Nullable String conflict(String name, Claim claim, Method other) {
            if (!(claim instanceof OfPermits that) || limit == that.limit) {
                return null;
            }
            return "the semaphore " + name + " has " + limit + " permits here, and " + that.limit + " in " + other
                    + ", so that each call would change the limit: name one number in both, or give one of them another"
                    + " name";
        }
    }
}
