package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What protects a command: a lock, or permits of a semaphore. */
sealed interface Protection permits LockChoice, PermitsChoice {
    /**
     * {@return what an option names; without one the plain lock}
     *
     * @throws UsageException if options name two of them, or the number of permits is wrong
     */
    static Protection of(CommandLine line) {
        List<Option> named = List.of(Option.TOKEN, Option.SHARED, Option.WRITE, Option.PERMITS).stream()
                .filter(line::has)
                .toList();
        if (named.size() > 1) {
            throw new UsageException(
                    named.get(0).longName() + " and " + named.get(1).longName()
                            + " exclude each other: a command has one lock, or permits, and only a fenced lock has a token");
        }
        if (line.has(Option.TAKE) && !line.has(Option.PERMITS)) {
            throw new UsageException("--take needs --permits, which says how many there are");
        }
        return line.has(Option.PERMITS) ? PermitsChoice.of(line) : LockChoice.of(named);
    }

    /**
     * Starts to acquire it.
     *
     * @param wait how long to wait; empty for ever
     * @param lease an explicit lease; empty for one that is renewed
     * @throws IllegalArgumentException if the name is none
     */
    LockCall start(Holdfast holdfast, String name, Optional<Duration> wait, Optional<Duration> lease);

    /** {@return what is held, in a word} */
    String noun();

    /** {@return the lock, or the semaphore, of this name} */
    String subject(String name);

    /** {@return the message that it was not granted} */
    String busy(String name);
}
