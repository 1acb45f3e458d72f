package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The help as text, from the tables. */
final class Help {
    static final String PURPOSE = "run a command under a distributed lock on Redis or Valkey";

    static final String DURATIONS =
            "A duration is a number and a unit: 500ms, 30s, 1.5m, 2h, 1d; without a unit it is in seconds.";

    private static final Pattern SPACE = Pattern.compile(" ");
    private static final int WIDTH = 80;
    private static final String INDENT = "  ";
    private static final String DEEP = "        ";

    private final StringBuilder text = new StringBuilder();

    private Help() {}

    /** {@return all commands, in short, with the common options, the environment and the exit codes} */
    static String overview() {
        Help help = new Help();
        help.line("holdfast - " + PURPOSE);
        help.heading("Commands");
        for (Command command : Command.values()) {
            help.entry(String.join(" ", nameAndOperands(command)), command.summary());
        }
        help.heading("Options of every command");
        help.options(Command.COMMON);
        help.heading("Environment");
        for (Variable variable : Variable.values()) {
            help.entry(variable.word(), variable.meaning());
        }
        help.heading("Exit codes");
        for (ExitCode code : ExitCode.values()) {
            help.entry(Integer.toString(code.code()), code.meaning());
        }
        help.line("");
        help.wrapped("", DURATIONS);
        return help.text.toString();
    }

    /** {@return what one command does, with its options} */
    static String of(Command command) {
        Help help = new Help();
        help.wrapped("", command.synopsis());
        help.line("");
        help.wrapped("", sentence(command.summary()) + " " + command.description());
        help.heading("Options");
        help.options(command.options());
        help.options(Command.COMMON);
        return help.text.toString();
    }

    private static List<String> nameAndOperands(Command command) {
        List<String> words = new ArrayList<>(List.of(command.word()));
        words.addAll(command.operands());
        return words;
    }

    /** {@return a summary as a sentence} */
    static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
    }

    private void options(List<Option> options) {
        options.forEach(option -> entry(option.synopsis(), option.meaning()));
    }

    private void heading(String heading) {
        line("");
        line(heading + ":");
    }

    private void entry(String what, String meaning) {
        line(INDENT + what);
        wrapped(DEEP, meaning);
    }

    private void wrapped(String indent, String words) {
        StringBuilder line = new StringBuilder(indent);
        for (String word : SPACE.splitAsStream(words.strip()).toList()) {
            if (line.length() > indent.length() && line.length() + 1 + word.length() > WIDTH) {
                line(line.toString());
                line.setLength(indent.length());
            }
            line.append(line.length() > indent.length() ? " " : "").append(word);
        }
        line(line.toString());
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
