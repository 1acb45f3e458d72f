package dev.holdfast.cli.top;

import static dev.holdfast.cli.top.Entries.CLIENT;
import static dev.holdfast.cli.top.Entries.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of {@code top}, by what is in use and how wide it may be. */
@Tag("pure")
final class EntryTableTest {
    private static final List<Entry> ALL = List.of(
            Entries.lock("orders:42", 75, LockType.PLAIN, LockType.FENCED),
            Entries.lock("queue", 2, LockType.FAIR),
            Entries.fenced("stock", 1_795_936_548_277_910L),
            Entries.readBy("prices", "rep-1", "rep-2"),
            Entries.writtenBy("rates", "import"),
            Entries.semaphore("partner-api", "web-1", "web-2"),
            Entries.latch("import:42", 3),
            Entries.condition("buffer", "not empty", 2),
            Entries.redissons("legacy"));

    /** Each kind is shown with what Redis says of it, and a hyphen for what it does not say. */
    @Test
    void lines_eachKind() {
        assertThat(EntryTable.lines(ALL, NOW, EntryTable.UNLIMITED))
                .map(line -> line.replaceAll(" \\d\\d:\\d\\d:\\d\\d ", " 12:34:56 "))
                .containsExactly(
                        "KIND        NAME                HOLDER                                     SINCE   HELD  USE             LINE  LEASE             TOKEN",
                        "lock        orders:42           web-1                                   12:34:56  1m15s  1 level            2  20.0s                 -",
                        "fair        queue               web-1                                   12:34:56   2.0s  1 level            1  20.0s                 -",
                        "lock        stock               web-1                                   12:34:56   3.0s  1 level            0  20.0s  1795936548277910",
                        "read-write  prices              rep-2 +1                                12:34:56   2.0s  2 readers          1  20.0s                 -",
                        "read-write  rates               import                                  12:34:56   1.0s  write, 1 level     0  20.0s                 -",
                        "semaphore   partner-api         web-1 +1                                12:34:56  1m00s  4 of 4             1   9.0s                 -",
                        "latch       import:42           -                                              -      -  count 3            -  1d01h                 -",
                        "condition   buffer (not empty)  -                                              -      -  2 waiters          -      -                 -",
                        "lock        legacy              " + CLIENT
                                + ":1         -      -  2 levels           0  20.0s                 -");
    }

    /** A table that is too wide loses columns, the least important first, and then the ends of names and holders. */
    @ParameterizedTest
    @CsvSource({
        "200, KIND NAME HOLDER SINCE HELD USE LINE LEASE TOKEN",
        "100, KIND NAME HOLDER HELD USE LINE LEASE TOKEN",
        "90, KIND NAME HOLDER HELD USE LINE LEASE",
        "70, KIND NAME HOLDER HELD USE LINE",
        "62, NAME HOLDER HELD USE LINE",
        "50, NAME HOLDER HELD LINE",
        "37, NAME HOLDER HELD",
        "20, NAME HOLDER HELD",
    })
    void lines_narrow(int width, String columns) {
        List<String> lines = EntryTable.lines(ALL, NOW, width);
        assertThat(lines.get(0).split(" +", -1)).containsExactly(columns.split(" ", -1));
        assertThat(lines).allMatch(line -> Cells.width(line) <= width);
    }

    /** No terminal is too narrow. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 13})
    void lines_veryNarrow(int width) {
        assertThat(EntryTable.lines(ALL, NOW, width)).hasSize(10).allMatch(line -> Cells.width(line) <= width);
    }

    /** Wide characters take two cells, so that the columns stay one below the other; what could control the terminal is replaced. */
    @Test
    void lines_wideAndControlCharacters() {
        List<String> lines = EntryTable.lines(
                List.of(
                        Entries.latch("注文:42", 1),
                        Entries.latch("\u001b[2Jx\u202e\u0301", 1),
                        Entries.latch("plain", 1)),
                NOW,
                EntryTable.UNLIMITED);
        assertThat(lines)
                .map(line -> line.replaceAll(" {2,}-.*", ""))
                .containsExactly(
                        "KIND   NAME     HOLDER  SINCE  HELD  USE      LINE  LEASE  TOKEN",
                        "latch  注文:42",
                        "latch  ?[2Jx?\u0301",
                        "latch  plain");
        assertThat(lines)
                .filteredOn(line -> line.contains("count"))
                .map(line -> Cells.width(line.substring(0, line.indexOf("count"))))
                .hasSize(3)
                .containsOnly(Cells.width(lines.get(0).substring(0, lines.get(0).indexOf("USE"))));
    }

    /** A cell is cut between characters, and never wider than it may be. */
    @ParameterizedTest
    @CsvSource({"plain,5,plain", "plain,4,pla~", "注文注文,8,注文注文", "注文注文,7,注文注~", "注文注文,6,注文~", "注文,1,~", "注文,0,''"})
    void cut(String text, int cells, String cut) {
        assertThat(Cells.cut(text, cells)).isEqualTo(cut);
        assertThat(Cells.width(Cells.left(text, cells))).isEqualTo(cells);
        assertThat(Cells.width(Cells.right(text, cells))).isEqualTo(cells);
    }

    /** Long text breaks at spaces, or anywhere if there are none. */
    @Test
    void wrapped() {
        assertThat(Cells.wrapped("force it open? yes", 9)).containsExactly("force it", "open? yes");
        assertThat(Cells.wrapped("abcdefgh", 3)).containsExactly("abc", "def", "gh");
        assertThat(Cells.wrapped("any", 0)).isEmpty();
    }

    /** Two units of a duration, and no negative one: clocks differ. */
    @ParameterizedTest
    @CsvSource({
        "-5000,0.0s",
        "1999,1.9s",
        "59999,59.9s",
        "60000,1m00s",
        "3599999,59m59s",
        "3600000,1h00m",
        "90000000,1d01h"
    })
    void age(long millis, String text) {
        assertThat(EntryTable.age(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
