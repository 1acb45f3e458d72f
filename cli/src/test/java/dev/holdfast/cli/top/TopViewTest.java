package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the keys of {@code top} do, and what is on the screen. */
@Tag("pure")
final class TopViewTest {
    private static final Snapshot SNAPSHOT = Entries.snapshot(
            Entries.lock("orders:1", 9, LockType.PLAIN),
            Entries.lock("orders:2", 8),
            Entries.semaphore("api", "web-1", "web-2"),
            Entries.latch("import", 3));

    private TopView view = TopView.initial(EntryOrder.NAME);
    private TopView.Action action = TopView.Action.NOTHING;

    /** Presses keys: those that have a name by it, between angle brackets. */
    private void press(String keys) {
        for (String key : keys.split("(?<=>)|(?=<)|(?<=[^<>A-Z_])(?=[^<>])", -1)) {
            if (!key.isEmpty()) {
                TopView.Step step = view.press(
                        key.startsWith("<")
                                ? Key.of(Key.Name.valueOf(key.substring(1, key.length() - 1)))
                                : Key.of(key.charAt(0)),
                        SNAPSHOT);
                view = step.view();
                action = step.action();
            }
        }
    }

    private List<String> screen(int width, int height) {
        return TopScreen.lines(view, SNAPSHOT, "localhost:6379", width, height).stream()
                .map(TopScreen.Line::text)
                .toList();
    }

    private String selected() {
        return view.entry(SNAPSHOT).map(Entry::name).orElse("");
    }

    /** The selection moves within the table, and stays with its entry when the order changes. */
    @ParameterizedTest
    @CsvSource({
        "'',api",
        "<DOWN>,import",
        "jj,orders:1",
        "jjk,import",
        "<UP>,api",
        "<END>,orders:2",
        "<END><HOME>,api",
        "<PAGE_DOWN>,orders:2",
        "<PAGE_DOWN><PAGE_UP>,api",
        "jo,import",
        "joo,import",
        "x,api"
    })
    void select(String keys, String name) {
        press(keys);
        assertThat(selected()).isEqualTo(name);
        assertThat(TopScreen.lines(view, SNAPSHOT, "", 80, 24))
                .filteredOn(line -> line.style() == TopScreen.Style.SELECTED)
                .singleElement()
                .satisfies(line -> assertThat(line.text()).contains(name));
    }

    /** What is typed is a part of the names, or a pattern; it can be corrected, kept and dropped. */
    @ParameterizedTest
    @CsvSource({
        "/orders,2",
        "/orders<ENTER>,2",
        "/*s:2,1",
        "/i,2",
        "/zz,0",
        "/zz<BACKSPACE><BACKSPACE>,4",
        "/zz<ESCAPE>,4",
        "/orders<ENTER><ESCAPE>,4",
        "/<BACKSPACE>,4"
    })
    void filter(String keys, int shown) {
        press(keys);
        assertThat(view.shown(SNAPSHOT)).hasSize(shown);
        assertThat(screen(80, 24).get(0)).contains(shown == 4 ? "4 in use" : shown + " of 4 in use");
    }

    /** Only the answer yes to a question that names the holder forces a lock open. */
    @Test
    void force_afterAQuestion() {
        press("<END>f");
        assertThat(view.mode()).isEqualTo(TopView.Mode.QUESTION);
        assertThat(String.join(" ", screen(60, 24)))
                .contains("Force open lock 'orders:2', held by web-1 (" + Entries.CLIENT + ":1)?");
        press("n");
        assertThat(action).isEqualTo(TopView.Action.NOTHING);
        assertThat(screen(80, 24)).last().isEqualTo("nothing was done");
        press("f<ENTER>");
        assertThat(action).isEqualTo(TopView.Action.NOTHING);
        press("fy");
        assertThat(action).isEqualTo(TopView.Action.FORCE);
        assertThat(view.question()).map(Forcing::entry).map(Entry::name).contains("orders:2");
    }

    /** Of several that hold permits, the one that is to lose them is selected first. */
    @Test
    void force_permitsOfOne() {
        press("f");
        assertThat(view.mode()).isEqualTo(TopView.Mode.DETAIL);
        assertThat(screen(90, 24)).last().asString().startsWith("several hold permits");
        press("jfy");
        assertThat(action).isEqualTo(TopView.Action.FORCE);
        assertThat(view.question().map(Forcing::holders))
                .hasValueSatisfying(holders ->
                        assertThat(holders).extracting(Entry.Holder::shown).containsExactly("web-2"));
    }

    /** A latch has no holder. */
    @Test
    void force_whatIsNotHeld() {
        press("jf");
        assertThat(view.mode()).isEqualTo(TopView.Mode.TABLE);
        assertThat(screen(80, 24)).last().isEqualTo("a latch is not held: it cannot be forced open");
    }

    /** One that is looked at is shown with all holders and the line, and as not in use when it is free. */
    @Test
    void look() {
        press("<ENTER>");
        assertThat(screen(200, 24))
                .anySatisfy(line -> assertThat(line).startsWith("web-1  permits 2  number 0  held 1m00s"))
                .anySatisfy(line -> assertThat(line).startsWith("web-2  permits 2  number 1  held 1m00s"))
                .contains("1 in line", "1.  " + Entries.CLIENT + ":9  3 of 4");
        assertThat(TopScreen.lines(view, Entries.snapshot(), "", 80, 24))
                .anyMatch(line -> line.text().equals("not in use now"));
        press("<ESCAPE>");
        assertThat(view.mode()).isEqualTo(TopView.Mode.TABLE);
    }

    /** Each way out. */
    @ParameterizedTest
    @CsvSource({
        "q,QUIT",
        "<ENTER>q,QUIT",
        "<INTERRUPT>,INTERRUPT",
        "f<INTERRUPT>,INTERRUPT",
        "/<INTERRUPT>,INTERRUPT",
        "/q,NOTHING"
    })
    void quit(String keys, TopView.Action expected) {
        press(keys);
        assertThat(action).isEqualTo(expected);
    }

    /** The screen has exactly its size, in each mode, however small it is, and the selected line is on it if there is room. */
    @ParameterizedTest
    @EnumSource(TopView.Mode.class)
    void screen_fits(TopView.Mode mode) {
        press(
                switch (mode) {
                    case TABLE -> "<END>";
                    case DETAIL -> "<END><ENTER>";
                    case FILTER -> "/o";
                    case QUESTION -> "<END>f";
                });
        assertThat(view.mode()).isEqualTo(mode);
        Snapshot noted = new Snapshot(SNAPSHOT.entries(), SNAPSHOT.at(), List.of("not connected: \u001b[2J"), true);
        for (int width = 1; width < 100; width++) {
            for (int height = 1; height < 30; height++) {
                int most = width;
                List<TopScreen.Line> lines = TopScreen.lines(view, noted, "localhost:6379", width, height);
                assertThat(lines)
                        .hasSize(height)
                        .allMatch(line ->
                                Cells.width(line.text()) <= most && !line.text().contains("\u001b"));
                if (mode == TopView.Mode.TABLE && width >= 80 && height >= 5) {
                    assertThat(lines).anyMatch(line -> line.style() == TopScreen.Style.SELECTED);
                }
            }
        }
    }

    /** What came of a forced release is shown. */
    @Test
    void message() {
        assertThat(TopScreen.lines(view.say("done"), SNAPSHOT, "", 80, 24))
                .last()
                .isEqualTo(new TopScreen.Line("done", TopScreen.Style.WARNING));
    }

    /** What a user has to know about what is seen: that it is old, not all, or not readable. */
    @Test
    void notes() {
        Optional<String> none = Optional.empty();
        assertThat(notes(Optional.of("gone"), 0, none, Map.of(), true))
                .containsExactly("not connected, what is shown may be old: gone");
        assertThat(notes(none, 9, none, Map.of(), true))
                .containsExactly("the node is slow: some of it was read 9 s ago");
        assertThat(notes(none, 1, Optional.of("NOPERM"), Map.of(), true))
                .containsExactly("only the names given, since a search is refused: NOPERM");
        assertThat(notes(none, 1, none, Map.of("a", "no lock", "b", "NOPERM"), false))
                .containsExactly(
                        "not all keys were looked at yet, but about 7000", "2 names cannot be read, as 'a': no lock");
        assertThat(notes(none, 1, none, Map.of(), true)).isEmpty();
    }

    private List<String> notes(
            Optional<String> lost,
            int secondsAgo,
            Optional<String> refusal,
            Map<String, String> failures,
            boolean hasSearched) {
        Optional<Instant> at = Optional.of(Entries.NOW.minusSeconds(secondsAgo));
        NodeView node = new NodeView(at, SNAPSHOT.entries(), lost, refusal, failures, hasSearched, 7_000);
        Snapshot seen = Snapshot.of(List.of(node), Entries.NOW);
        assertThat(seen.entries()).hasSize(4);
        assertThat(TopScreen.lines(view, seen, "", 120, 24))
                .filteredOn(line -> line.style() == TopScreen.Style.WARNING)
                .extracting(TopScreen.Line::text)
                .isEqualTo(seen.notes());
        return seen.notes();
    }
}
