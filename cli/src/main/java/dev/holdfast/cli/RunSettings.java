package dev.holdfast.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What {@code holdfast run} was asked for.
 *
 * @param name of the lock, or of the semaphore
 * @param command the words of the command
 * @param longestWait how long to wait for the lock; empty for ever
 * @param lease an explicit lease; empty for one that is renewed
 * @param watchdog the length of a lease that is renewed
 * @param protection the lock of the name that it needs, or permits
 * @param busyCode the exit code if the lock stays busy
 * @param lostCode the exit code if it was lost
 * @param quietIfBusy whether a busy lock is no message
 * @param passesAddress whether the command finds the address of Redis in its environment
 */
record RunSettings(
        String name,
        List<String> command,
        Optional<Duration> longestWait,
        Optional<Duration> lease,
        Duration watchdog,
        Protection protection,
        int busyCode,
        int lostCode,
        boolean quietIfBusy,
        boolean passesAddress) {
    private static final Duration WATCHDOG = Duration.ofSeconds(30);

    /** @throws UsageException if a value is wrong */
    static RunSettings of(CommandLine line) {
        if (line.has(Option.LEASE) && line.has(Option.WATCHDOG)) {
            throw new UsageException(
                    "--lease and --watchdog exclude each other: a lease is either not renewed, or it is");
        }
        List<String> words = line.operands().subList(1, line.operands().size());
        boolean busyIsOk = line.has(Option.IF_BUSY_OK);
        return new RunSettings(
                line.operands().get(0),
                line.has(Option.SHELL)
                        ? Stream.concat(Stream.of("/bin/sh", "-c"), words.stream())
                                .toList()
                        : List.copyOf(words),
                line.duration(Option.WAIT),
                line.lease(Option.LEASE),
                line.lease(Option.WATCHDOG).orElse(WATCHDOG),
                Protection.of(line),
                busyIsOk ? ExitCode.OK.code() : line.code(Option.BUSY_CODE, ExitCode.BUSY),
                line.code(Option.LOST_CODE, ExitCode.LOST),
                busyIsOk,
                line.has(Option.PASS_ADDRESS));
    }

    /** {@return when the command has to end before its lease does} */
    EndTerms endTerms() {
        return EndTerms.of(lease.orElse(watchdog));
    }

    /** {@return whether this is what the terms for the end assume to be left when the command starts} */
    boolean isLongEnough(Duration remaining) {
        return lease.isPresent() || remaining.multipliedBy(3).compareTo(watchdog.multipliedBy(2)) >= 0;
    }
}
