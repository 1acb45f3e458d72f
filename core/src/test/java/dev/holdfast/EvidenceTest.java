package dev.holdfast;

import static java.util.function.Predicate.not;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables of the evidence name a test for each defect and each promise. Each of these tests exists. */
@Tag("pure")
final class EvidenceTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Path EVIDENCE = ROOT.resolve("verification/evidence");

    /** Class; then a method, whose name may end with a star. */
    private static final Pattern TEST = Pattern.compile("(?<type>[A-Z]\\w*)(?:\\.(?<method>\\w+)(?<any>\\*)?)?");

    /** A further method of the class that was named last. */
    private static final Pattern METHOD = Pattern.compile("\\.(?<method>\\w+)(?<any>\\*)?");

    /** A method of the lock contract. */
    private static final Pattern CASE = Pattern.compile("[a-z]\\w*_\\w+");

    private static final Pattern SCRIPT = Pattern.compile("[a-z-]+\\.lua");

    /** A program that runs tests of its own, by its path. */
    private static final Pattern PROGRAM = Pattern.compile("[a-z/]+\\.sh");

    /** A page that says what was not changed, by its path. */
    private static final Pattern PAGE = Pattern.compile("docs/[a-z-]+\\.md");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Sources of tests, and scripts that tests use, by file name. */
    private final Map<String, Path> files = new HashMap<>();

    EvidenceTest() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            all.filter(file -> file.toString().matches(".*\\.(java|kt|lua)"))
                    .filter(not(file -> file.toString().contains("/target/")))
                    .filter(file -> file.toString().contains("/src/test/") || file.startsWith(ROOT.resolve("testkit")))
                    .forEach(file -> files.put(file.getFileName().toString(), file));
        }
    }

    /** Every test that a table names exists. */
    @Test
    void tables_nameTests() throws IOException {
        List<String> missing = new ArrayList<>();
        int rows = 0;
        for (List<String> row : rows()) {
            rows++;
            assertThat(row.get(1)).as("the tests of %s", row).containsPattern(CODE);
            String source = "";
            for (Matcher named = CODE.matcher(row.get(1)); named.find(); ) {
                String name = named.group(1);
                Matcher test = TEST.matcher(name);
                Matcher method = METHOD.matcher(name);
                boolean exists;
                if (SCRIPT.matcher(name).matches()) {
                    exists = files.containsKey(name);
                } else if (PROGRAM.matcher(name).matches()) {
                    exists = Files.isExecutable(ROOT.resolve(name));
                } else if (PAGE.matcher(name).matches()) {
                    exists = Files.isRegularFile(ROOT.resolve(name));
                } else if (CASE.matcher(name).matches()) {
                    exists = contractHas(name);
                } else if (method.matches()) {
                    exists = hasMethod(source, method);
                } else if (test.matches()) {
                    source = source(test.group("type"));
                    exists = !source.isEmpty() && (test.group("method") == null || hasMethod(source, test));
                } else {
                    exists = false;
                }
                if (!exists) {
                    missing.add(name + " in the row of " + row.get(0));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(rows).isGreaterThan(200);
    }

    /** The defects of other libraries, and the project's own, have a row each. */
    @Test
    void defects_haveRows() throws IOException {
        assertThat(numbers("defects-of-others.md"))
                .containsExactly(
                        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
                        "19", "21", "22");
        assertThat(numbers("own-defects.md"))
                .startsWith(
                        "1", "2", "2b", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
                        "17", "18", "19");
    }

    /** Each section about tests has a table with a column of them, by whose heading the tests are found. */
    @Test
    void sections_haveTheirColumn() throws IOException {
        List<String> sections = new ArrayList<>();
        for (Path page : pages()) {
            sections.addAll(List.of(Files.readString(page).split("\n(?=## )")));
        }
        assertThat(sections)
                .filteredOn(section -> heading(section).contains(" tests") && section.contains("\n|"))
                .hasSizeGreaterThan(9)
                .allMatch(section -> section.contains("| tests |"));
    }

    private static String heading(String section) {
        return section.lines().findFirst().orElseThrow();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> pages = Files.list(EVIDENCE)) {
            return pages.filter(page -> page.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> numbers(String page) throws IOException {
        return Pattern.compile("(?m)^\\| (\\d+b?) \\|")
                .matcher(Files.readString(EVIDENCE.resolve(page)))
                .results()
                .map(row -> row.group(1))
                .toList();
    }

    /** {@return of each row of a table with a column of tests, what it is about and that column} */
    private static List<List<String>> rows() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (Path page : pages()) {
            addRows(page, rows);
        }
        return rows;
    }

    private static void addRows(Path page, List<List<String>> rows) throws IOException {
        int tests = -1;
        for (String line : Files.readAllLines(page)) {
            if (!line.startsWith("|")) {
                tests = -1;
                continue;
            }
            List<String> cells =
                    Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            if (cells.contains("tests")) {
                tests = cells.indexOf("tests");
            } else if (tests > 0 && !line.startsWith("|-")) {
                rows.add(List.of(cells.get(tests - 1), cells.get(tests)));
            }
        }
    }

    private String source(String type) throws IOException {
        Path file = files.getOrDefault(type + ".java", files.get(type + ".kt"));
        return file == null ? "" : Files.readString(file);
    }

    private static boolean hasMethod(String source, Matcher named) {
        String rest = named.group("any") == null ? "" : "\\w*";
        return Pattern.compile("\\b" + named.group("method") + rest + "\\(")
                .matcher(source)
                .find();
    }

    private boolean contractHas(String method) throws IOException {
        for (Map.Entry<String, Path> file : files.entrySet()) {
            if (file.getKey().endsWith("Cases.java")
                    && Files.readString(file.getValue()).contains("void " + method + "(")) {
                return true;
            }
        }
        return false;
    }
}
