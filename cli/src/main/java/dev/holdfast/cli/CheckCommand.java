package dev.holdfast.cli;

import dev.holdfast.cli.check.Checkup;
import dev.holdfast.cli.check.Finding;
import dev.holdfast.cli.check.Level;
import dev.holdfast.cli.check.Use;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code holdfast check}: asks a deployment whether it is as locks need it. */
final class CheckCommand {
    private final Console console;
    private final List<Finding> findings;

    private CheckCommand(Console console, List<Finding> findings) {
        this.console = console;
        this.findings = findings;
    }

    static int execute(CommandLine line, String address, Console console) {
        List<Finding> findings = Checkup.of(
                RedisAddress.uris(address),
                kinds(line.text(Option.KINDS)),
                line.text(Option.PREFIX).orElse(""),
                Clock.systemUTC());
        CheckCommand check = new CheckCommand(console, findings);
        if (line.has(Option.JSON)) {
            console.print(CheckJson.of(findings));
        } else {
            check.print();
        }
        return check.code().code();
    }

    private static Set<Use> kinds(Optional<String> words) {
        List<Use> all = Stream.of(Use.values()).filter(Use::isKind).toList();
        Set<Use> kinds = EnumSet.noneOf(Use.class);
        for (String word : words.map(text -> text.split(",", -1)).orElse(new String[0])) {
            kinds.add(all.stream()
                    .filter(use -> use.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new UsageException(Option.KINDS.longName() + " must be some of "
                            + all.stream().map(Use::word).collect(Collectors.joining(",")) + ", was '" + word + "'")));
        }
        return words.isPresent() ? kinds : EnumSet.copyOf(all);
    }

    /** Where all lines are about one server, none names it. */
    private void print() {
        boolean hasOne = findings.stream()
                        .flatMap(finding -> finding.where().stream())
                        .distinct()
                        .count()
                <= 1;
        findings.forEach(finding -> console.print(text(finding, hasOne)));
        console.print(Stream.of(Level.values())
                .map(level -> count(level) + " " + level.word())
                .collect(Collectors.joining(", ")));
    }

    private static String text(Finding finding, boolean hasOne) {
        StringBuilder line = new StringBuilder(finding.level().word());
        line.append(" ".repeat(9 - line.length())).append(finding.check().word());
        line.append(" ".repeat(15 - finding.check().word().length())).append(finding.figure());
        if (!hasOne && !finding.where().isEmpty()) {
            line.append(" (at ").append(String.join(", ", finding.where())).append(')');
        }
        line.append(" - ").append(finding.why());
        if (!finding.set().isEmpty()) {
            line.append(" - set: ").append(finding.set());
        }
        return line.toString();
    }

    private long count(Level level) {
        return findings.stream().filter(finding -> finding.level() == level).count();
    }

    private ExitCode code() {
        if (count(Level.ERROR) > 0) {
            return ExitCode.ERRORS;
        }
        return count(Level.WARNING) > 0 ? ExitCode.WARNINGS : ExitCode.OK;
    }
}
