package dev.holdfast;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The messages in the table of {@code docs/operations.md}, without the addresses, names and replies that are examples. */
public final class DocumentedMessages {
    private static final Path PAGE = Path.of("..", "docs", "operations.md");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final Pattern EXAMPLE = Pattern.compile(
            "\\b[abc]:\\d+(: Connection refused|: no answer so far|: NOAUTH|: WRONGPASS)?|'orders'|\\.\\.");

    private static final int SHORTEST = 4;

    private DocumentedMessages() {}

    /** {@return the parts of the only message in the row that begins with this} */
    public static String[] of(String wrong) {
        List<String> messages = messages(wrong);
        if (messages.size() != 1) {
            throw new AssertionError("the row has " + messages.size() + " messages: " + wrong);
        }
        return parts(messages.get(0));
    }

    /** {@return the parts of one of several messages in the row that begins with this} */
    public static String[] of(String wrong, int index) {
        return parts(messages(wrong).get(index));
    }

    private static List<String> messages(String wrong) {
        try (Stream<String> lines = Files.lines(PAGE)) {
            String start = "| " + wrong + " | ";
            String row = lines.filter(line -> line.startsWith(start))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(PAGE + " has no row for: " + wrong));
            String message = row.substring(start.length(), row.indexOf(" | ", start.length()));
            return CODE.matcher(message)
                    .results()
                    .map((MatchResult code) -> code.group(1).replace("\\|", "|"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String[] parts(String message) {
        return EXAMPLE.splitAsStream(message)
                .map(part -> part.replaceAll("^[\\s:;]+|[\\s:;,]+$", ""))
                .filter(part -> part.length() >= SHORTEST)
                .toArray(String[]::new);
    }
}
