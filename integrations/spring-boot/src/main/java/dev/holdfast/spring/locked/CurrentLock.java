package dev.holdfast.spring.locked;

import java.util.stream.Stream;

/** The locks of the {@link Locked} methods that the calling thread, or the Kotlin coroutine that it runs, is in. */
public final class CurrentLock {
    private CurrentLock() {}

    /**
     * {@return the fencing token of the innermost fenced lock, to be sent with each write} A method whose result completes
     * later reads it before it returns.
     *
     * @throws IllegalStateException if the thread is in no method with {@link Locked#fenced()}, or the innermost one has
     *     several locks, each with a token of its own
     */
    public static long token() {
        LockTarget target = Holds.ofThread().stream()
                .map(Hold::target)
                .filter(LockTarget.class::isInstance)
                .map(LockTarget.class::cast)
                .filter(LockTarget::fenced)
                .findFirst()
                .orElseThrow(CurrentLock::notFenced);
        if (!target.isSingle()) {
            throw new IllegalStateException(
                    "each of the locks " + target.name() + " has a token: give the name of one");
        }
        return token(target.names().get(0));
    }

    /**
     * {@return the fencing token of the innermost fenced lock of this name}
     *
     * @param name the full name, such as {@code orders:42}
     * @throws IllegalStateException if the thread is in no method with {@link Locked#fenced()} and this lock
     */
    public static long token(String name) {
        return of(name).flatMap(hold -> hold.token(name).stream().boxed())
                .findFirst()
                .orElseThrow(CurrentLock::notFenced);
    }

    private static IllegalStateException notFenced() {
        return new IllegalStateException(
                "the current thread is in no method with @Locked(fenced = true), called through its bean. A method whose"
                        + " result completes later reads the token before it returns");
    }

    /**
     * {@return whether the thread is in a method that runs under the lock of this name, and has not lost it} Local, for
     * assertions and tests.
     *
     * @param name the full name, such as {@code orders:42}
     */
    public static boolean isHeld(String name) {
        return of(name).anyMatch(Hold::isValid);
    }

    private static Stream<Hold> of(String name) {
        return Holds.ofThread().stream()
                .filter(hold -> hold.target() instanceof LockTarget locks
                        && locks.names().contains(name));
    }
}
