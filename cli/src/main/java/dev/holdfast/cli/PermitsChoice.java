package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import java.time.Duration;
import java.util.Optional;

/**
 * Permits of a semaphore.
 *
 * @param limit how many there are
 * @param take how many the command is to have
 */
record PermitsChoice(int limit, int take) implements Protection {
    /** As many as the library allows. */
    private static final int MOST = 1_000_000;

    /** @throws UsageException if there are too few, or too many */
    static PermitsChoice of(CommandLine line) {
        int limit = line.number(Option.PERMITS, MOST).orElseThrow();
        return new PermitsChoice(limit, line.number(Option.TAKE, limit).orElse(1));
    }

    @Override
    public LockCall start(Holdfast holdfast, String name, Optional<Duration> wait, Optional<Duration> lease) {
        return LockCall.start(holdfast.getSemaphore(name, limit), take, wait, lease);
    }

    @Override
    public String noun() {
        return "permit";
    }

    @Override
    public String subject(String name) {
        return "semaphore '" + name + "'";
    }

    @Override
    public String busy(String name) {
        return subject(name) + " has too few free permits, or others wait for them";
    }
}
