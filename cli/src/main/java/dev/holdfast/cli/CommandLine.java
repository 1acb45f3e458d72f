package dev.holdfast.cli;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A command line that was parsed.
 *
 * @param command what to do
 * @param options those that were given, with their values; empty text for one that takes none
 * @param operands of the command; for {@code run} the name and the words of the command line to run
 */
record CommandLine(Command command, Map<Option, String> options, List<String> operands) {
    private static final Duration LEAST_LEASE = Duration.ofSeconds(1);

    CommandLine {
        EnumMap<Option, String> copy = new EnumMap<>(Option.class);
        copy.putAll(options);
        options = copy;
        operands = List.copyOf(operands);
    }

    boolean has(Option option) {
        return options.containsKey(option);
    }

    Optional<String> text(Option option) {
        return Optional.ofNullable(options.get(option));
    }

    /** @throws UsageException if the value is no duration */
    Optional<Duration> duration(Option option) {
        return text(option).map(text -> Durations.parse(option.longName(), text));
    }

    /** @throws UsageException if the value is no duration, or too short to end a command within it */
    Optional<Duration> lease(Option option) {
        Optional<Duration> lease = duration(option);
        if (lease.isPresent() && lease.get().compareTo(LEAST_LEASE) < 0) {
            throw new UsageException(option.longName() + " must be at least 1s, was " + options.get(option)
                    + ": a command needs time to end before its lease does");
        }
        return lease;
    }

    /** @throws UsageException if the value is no number from 1 to this one */
    OptionalInt number(Option option, int most) {
        String text = options.get(option);
        if (text == null) {
            return OptionalInt.empty();
        }
        if (!text.matches("[1-9]\\d{0,8}") || Integer.parseInt(text) > most) {
            throw new UsageException(
                    option.longName() + " must be a number from 1 to " + most + ", was '" + text + "'");
        }
        return OptionalInt.of(Integer.parseInt(text));
    }

    /** @throws UsageException if the value is no exit code */
    int code(Option option, ExitCode otherwise) {
        String text = options.get(option);
        if (text == null) {
            return otherwise.code();
        }
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > 255) {
            throw new UsageException(option.longName() + " must be a number from 0 to 255, was '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
