package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts.Kept;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines and latches in the last milliseconds of a key. The key still exists when PTTL is 0; and an expiry of 1 ms may delete it, since
 * before Redis 7.2 time passes within a command.
 */
@Tag("script")
final class LastMillisecondTest {
    private static final String THIRD = "c3d4:5";

    /** When the lease ends, by the clock of the test. */
    private static final long END_MS = 1_700_000_000_000L;

    @AutoClose
    private static final TimedScripts timed = new TimedScripts();

    /** A client that joins, and moves the others up, leaves the lease as it was: a line has an expiry. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void join(long left) {
        restore(Map.of(
                OWNER, "1", OWNER + ":tenure", "1", "line", "1 40 1 0 0", "line:40", entry(OTHER), "b02c:line", "40"));
        Kept after = run("acquire.lua", left, attempt(THIRD, "label", 3000, CHANNEL))
                .keys()
                .get(0);
        assertThat(after.expires()).isEqualTo(END_MS);
        assertThat(after.fields()).containsEntry("line:1", entry(OTHER)).containsEntry("line:2", entry(THIRD));
    }

    /** A writer or a reader that joins likewise. */
    @ParameterizedTest
    @ValueSource(strings = {"write", "read"})
    void joinReadWrite(String side) {
        for (long left = 0; left < 3; left++) {
            restore(Map.of("mode", "write", OWNER, "1", OWNER + ":tenure", "1", "writers", "1 0 0 0 0"));
            Kept after = run("rw-acquire.lua", left, attempt(THIRD, side, "label", 3000, CHANNEL, "PUBLISH"))
                    .keys()
                    .get(0);
            assertThat(after.expires()).as("%s ms left", left).isEqualTo(END_MS);
            assertThat(after.fields())
                    .containsKey("mode")
                    .containsKey(side.equals("read") ? "c3d4:reader" : "writer:1");
        }
    }

    /** When the first in line leaves, the next one watches over what is left of the lease. */
    @Test
    void leave() {
        restore(Map.of(
                OWNER,
                "1",
                OWNER + ":tenure",
                "1",
                "line",
                "1 2 2 0 0",
                "line:1",
                entry(OTHER),
                "b02c:line",
                "1",
                "line:2",
                entry(THIRD),
                "c3d4:line",
                "2"));
        assertThat(run("release.lua", 0, List.of(OTHER, 3, 0, CHANNEL, "PUBLISH"))
                        .messages())
                .containsExactly(new TimedScripts.Message("PUBLISH", CHANNEL + ":c3d4", "watch 1", 1));
    }

    /** A count that is refused leaves the record of the one before as it was, with an expiry that says how that has ended. */
    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "5000, 5000"})
    void setLatch_refused(long left, long after) {
        Map<String, String> fields = Map.of("state", "1 expired 0 0 expired", "c3d4", "2 0");
        timed.restore(Map.of("record", new Kept(END_MS, "", fields)));
        Kept record = run(
                        "latch-set.lua",
                        END_MS - left,
                        List.of("SET"),
                        List.of("latch", "record"),
                        List.of("c3d4", 3, 4, 3000, 0, CHANNEL, "PUBLISH"))
                .keys()
                .get(1);
        assertThat(record).isEqualTo(new Kept(END_MS - left + after, "", fields));
    }

    private static String entry(String owner) {
        return owner + " 3 3000 0 label";
    }

    private static List<Object> attempt(String owner, Object... more) {
        return Stream.concat(Stream.of(owner, 3, 1, LEASE.toMillis()), Stream.of(more))
                .toList();
    }

    private static void restore(Map<String, String> fields) {
        timed.restore(Map.of("lock", new Kept(END_MS, "", fields)));
    }

    private static TimedScripts.Effect run(String file, long left, List<Object> arguments) {
        return run(file, END_MS - left, List.of(), List.of("lock"), arguments);
    }

    private static TimedScripts.Effect run(
            String file, long nowMs, List<String> refused, List<String> keys, List<Object> arguments) {
        List<String> listening = List.of(CHANNEL + ":b02c", CHANNEL + ":c3d4", CHANNEL + ":c3d4:read");
        TimedScripts.Setting setting = new TimedScripts.Setting(1000 * nowMs, listening, refused);
        return Patience.get(timed.send(timed.load(TimedScripts.shipped(file)), setting, keys, arguments));
    }
}
