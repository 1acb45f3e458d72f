package dev.holdfast.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parses a command line by the tables {@link Command} and {@link Option}. Options may stand before and after operands,
 * a value follows its option as the next word or after {@code =}, and {@code --} ends the options. The command line that
 * {@code run} takes is not searched for options.
 */
final class Parser {
    private final Deque<String> words;
    private final Map<Option, String> options = new EnumMap<>(Option.class);
    private final List<String> operands = new ArrayList<>();
    private Optional<Command> command = Optional.empty();

    private Parser(List<String> words) {
        this.words = new ArrayDeque<>(words);
    }

    /**
     * {@return the command line} A call for help or for the version is the command {@code help}, whatever else is wrong
     * or missing after it.
     *
     * @throws UsageException if a command, an option, an operand or a value is unknown or missing
     */
    static CommandLine parse(List<String> words) {
        return new Parser(words).parse();
    }

    private CommandLine parse() {
        while (!words.isEmpty() && !options.containsKey(Option.HELP) && !options.containsKey(Option.VERSION)) {
            String word = words.removeFirst();
            if (word.equals("--")) {
                takeRest();
            } else if (word.startsWith("-") && word.length() > 1) {
                takeOption(word);
            } else if (command.isEmpty()) {
                command = Optional.of(commandNamed(word));
            } else {
                takeOperand(word);
            }
        }
        return checked();
    }

    /** @throws UsageException if there is no such command */
    static Command commandNamed(String word) {
        return Command.named(word)
                .orElseThrow(() -> new UsageException("there is no command '" + word + "'; see holdfast --help"));
    }

    private void takeOption(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Option option = optionNamed(name);
        if (!option.takesValue()) {
            if (equals >= 0) {
                throw new UsageException(name + " takes no value, was " + word);
            }
            options.put(option, "");
        } else if (equals >= 0) {
            options.put(option, word.substring(equals + 1));
        } else if (words.isEmpty()) {
            throw new UsageException(name + " needs a value: " + option.synopsis());
        } else {
            options.put(option, words.removeFirst());
        }
    }

    private Option optionNamed(String name) {
        for (Option option : Option.values()) {
            if (option.names().contains(name)) {
                if (command.isPresent() && !command.get().takes(option)) {
                    throw new UsageException(command.get().word() + " has no option " + name + ": "
                            + command.get().synopsis());
                }
                return option;
            }
        }
        throw new UsageException("there is no option " + name + "; see holdfast "
                + command.map(known -> known.word() + " ").orElse("") + "--help");
    }

    private void takeOperand(String word) {
        operands.add(word);
        if (command.orElseThrow().takesCommandLine() && operands.size() > 1) {
            takeRest();
        }
    }

    private void takeRest() {
        operands.addAll(words);
        words.clear();
    }

    private CommandLine checked() {
        if (options.containsKey(Option.HELP) || options.containsKey(Option.VERSION)) {
            return new CommandLine(
                    Command.HELP,
                    options,
                    command.map(known -> List.of(known.word())).orElse(List.of()));
        }
        Command known = command.orElseThrow(() -> new UsageException("a command must be named; see holdfast --help"));
        for (Option option : options.keySet()) {
            if (!known.takes(option)) {
                throw new UsageException(
                        known.word() + " has no option " + option.longName() + ": " + known.synopsis());
            }
        }
        if (operands.size() < known.leastOperands()) {
            throw new UsageException(
                    known.word() + " needs " + known.operands().get(operands.size()) + ": " + known.synopsis());
        }
        if (operands.size() > known.mostOperands()) {
            throw new UsageException(known.word() + " takes no operand '" + operands.get(known.mostOperands()) + "': "
                    + known.synopsis());
        }
        return new CommandLine(known, options, operands);
    }
}
