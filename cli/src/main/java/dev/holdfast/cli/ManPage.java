package dev.holdfast.cli;

import java.util.List;

/** The man page {@code holdfast(1)}, from the tables. */
final class ManPage {
    private final StringBuilder text = new StringBuilder();

    private ManPage() {}

    /** {@return the page, in the language of {@code man(7)}} */
    static String text() {
        ManPage page = new ManPage();
        page.macro("TH HOLDFAST 1");
        page.section("NAME");
        page.paragraph("holdfast - " + Help.PURPOSE);
        page.section("SYNOPSIS");
        for (Command command : Command.values()) {
            page.paragraph(command.synopsis());
            page.macro("br");
        }
        page.section("COMMANDS");
        for (Command command : Command.values()) {
            page.command(command);
        }
        page.section("OPTIONS OF EVERY COMMAND");
        page.options(Command.COMMON);
        page.paragraph(Help.DURATIONS, "PP");
        page.section("ENVIRONMENT");
        for (Variable variable : Variable.values()) {
            page.entry(variable.word(), variable.meaning());
        }
        page.section("EXIT STATUS");
        for (ExitCode code : ExitCode.values()) {
            page.entry(Integer.toString(code.code()), code.meaning());
        }
        return page.text.toString();
    }

    private void command(Command command) {
        macro("SS " + escaped(command.word()));
        paragraph(Help.sentence(command.summary()) + " " + command.description());
        options(command.options());
    }

    private void options(List<Option> options) {
        options.forEach(option -> entry(option.synopsis(), option.meaning()));
    }

    private void section(String title) {
        macro("SH " + title);
    }

    private void entry(String what, String meaning) {
        macro("TP");
        macro("B " + escaped(what));
        paragraph(meaning);
    }

    private void paragraph(String words, String macro) {
        macro(macro);
        paragraph(words);
    }

    private void paragraph(String words) {
        String line = escaped(words.strip());
        text.append(line.startsWith(".") || line.startsWith("'") ? "\\&" : "")
                .append(line)
                .append('\n');
    }

    private void macro(String macro) {
        text.append('.').append(macro).append('\n');
    }

    /** A backslash begins an escape, and a hyphen would be shown as a typographic one. */
    private static String escaped(String words) {
        return words.replace("\\", "\\e").replace("-", "\\-");
    }
}
