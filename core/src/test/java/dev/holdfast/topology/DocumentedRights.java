package dev.holdfast.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rights of a Redis user, exactly as {@code docs/configuration.md} gives them. */
public final class DocumentedRights {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    private static final String COMMAND = "ACL SETUSER locks on >secret ";

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private DocumentedRights() {}

    private static String page() {
        try {
            return Files.readString(PAGE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.strip().split("\\s+", -1));
    }

    /** {@return the text of a table's cell} A bar in it would end the cell. */
    private static String unescaped(String cell) {
        return cell.replace("\\|", "|");
    }

    /** {@return what every user needs} */
    public static List<String> ofAll() {
        Matcher block = Pattern.compile("(?s)```\n" + Pattern.quote(COMMAND) + "(.*?)```")
                .matcher(page());
        if (!block.find()) {
            throw new AssertionError(PAGE + " has no " + COMMAND);
        }
        return new ArrayList<>(words(block.group(1)));
    }

    /** {@return the rights in the row of this set-up: one list for each text in code style} */
    static List<List<String>> besides(String setUp) {
        String start = "| " + setUp + " | ";
        String row = page().lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError(PAGE + " has no row for " + setUp));
        return CODE.matcher(row.substring(start.length()))
                .results()
                .map((MatchResult code) -> words(unescaped(code.group(1))))
                .toList();
    }
}
