package dev.holdfast.spring.locked;

import dev.holdfast.Permits;
import java.util.stream.Stream;

/** The permits of the {@link Limited} methods that the calling thread, or the Kotlin coroutine that it runs, is in. */
public final class CurrentPermits {
    private CurrentPermits() {}

    /**
     * {@return the {@linkplain Permits#number() number} of the innermost permits, which no other call has at the same time} From 0
     * to {@link Limited#permits()} - 1: a worker number. A method whose result completes later reads it before it returns.
     *
     * @throws IllegalStateException if the thread is in no method with {@link Limited}
     */
    public static int number() {
        return ofThread().findFirst().orElseThrow(CurrentPermits::notLimited).number();
    }

    /**
     * {@return the number of the permits of this semaphore}
     *
     * @param name the full name, such as {@code export:42}
     * @throws IllegalStateException if the thread is in no method with {@link Limited} and this semaphore
     */
    public static int number(String name) {
        return of(name).findFirst().orElseThrow(CurrentPermits::notLimited).number();
    }

    /**
     * {@return whether the thread is in a method that runs with permits of the semaphore of this name, and has not lost them}
     * Local, for assertions and tests.
     *
     * @param name the full name, such as {@code export:42}
     */
    public static boolean isHeld(String name) {
        return of(name).anyMatch(Permits::isValid);
    }

    private static Stream<Permits> of(String name) {
        return ofThread().filter(permits -> permits.name().equals(name));
    }

    private static Stream<Permits> ofThread() {
        return Holds.ofThread().stream()
                .filter(LeaseHold.class::isInstance)
                .map(hold -> ((LeaseHold) hold).lease())
                .filter(Permits.class::isInstance)
                .map(Permits.class::cast);
    }

    private static IllegalStateException notLimited() {
        return new IllegalStateException(
                "the current thread is in no method with @Limited, or in none with that semaphore, called through its bean."
                        + " A method whose result completes later reads the number before it returns");
    }
}
