package dev.holdfast.spring.locked;

/** The locks of the {@link Locked} methods that the calling thread is in. */
public final class CurrentLock {
    private CurrentLock() {}

    /**
     * {@return the fencing token of the innermost fenced lock, to be sent with each write} A method whose result completes
     * later reads it before it returns.
     *
     * @throws IllegalStateException if the thread is in no method with {@link Locked#fenced()}
     */
    public static long token() {
        return Holds.ofThread().stream()
                .flatMap(hold -> hold.token().stream().boxed())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "the current thread is in no method with @Locked(fenced = true), called through its bean"));
    }

    /**
     * {@return whether the thread is in a method that runs under the lock of this name, and has not lost it} Local, for
     * assertions and tests.
     *
     * @param name the full name, such as {@code orders:42}
     */
    public static boolean isHeld(String name) {
        return Holds.ofThread().stream().anyMatch(hold -> hold.name().equals(name) && hold.isValid());
    }
}
