package dev.holdfast.internal.kind;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The pages of {@code docs/design} that specify scripts, and their tables. */
enum WirePage {
    LOCK("wire.md", "(?!rw-|sem-|latch-|condition-).*"),
    READ_WRITE("read-write.md", "rw-.*"),
    SEMAPHORE("semaphore.md", "sem-.*"),
    LATCH("latch.md", "latch-.*");

    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    private final String file;
    private final String names;

    /** @param names of the scripts that the page specifies, as a pattern */
    WirePage(String file, String names) {
        this.file = file;
        this.names = names;
    }

    /** {@return the page that specifies what locks of this kind have in Redis} */
    static WirePage of(Kind kind) {
        if (kind instanceof PermitsKind) {
            return SEMAPHORE;
        }
        return kind instanceof ReadKind || kind instanceof WriteKind ? READ_WRITE : LOCK;
    }

    /** {@return the scripts that the page specifies} */
    List<ScriptText> scripts() {
        return ScriptText.all().stream()
                .filter(script -> script.name().matches(names))
                .toList();
    }

    /**
     * {@return the rows of the table in the section with this heading, each with its cells} A first cell that is empty is that of
     * the row before.
     */
    List<List<String>> rows(String heading) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : section(heading).lines().toList()) {
            if (!line.startsWith("|") || line.startsWith("|-")) {
                continue;
            }
            String[] cells = line.substring(1).split("\\|", -1);
            List<String> row =
                    new ArrayList<>(Stream.of(cells).map(String::strip).toList());
            if (row.get(0).isEmpty()) {
                row.set(0, rows.get(rows.size() - 1).get(0));
            }
            rows.add(row);
        }
        if (rows.size() < 2) {
            throw new AssertionError("no table in the section " + heading);
        }
        return rows.subList(1, rows.size());
    }

    /** {@return what is in code style in a cell} */
    static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(code -> code.group(1)).toList();
    }

    /** {@return the only text in code style of a cell} */
    static String code(String cell) {
        List<String> codes = codes(cell);
        if (codes.size() != 1) {
            throw new AssertionError("not one text in code style: " + cell);
        }
        return codes.get(0);
    }

    private String section(String heading) {
        try {
            String page = Files.readString(Path.of("..", "docs", "design", file));
            int from = page.indexOf("\n## " + heading + "\n");
            if (from < 0) {
                throw new AssertionError("no section " + heading);
            }
            int to = page.indexOf("\n## ", from + 1);
            return page.substring(from, to < 0 ? page.length() : to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
