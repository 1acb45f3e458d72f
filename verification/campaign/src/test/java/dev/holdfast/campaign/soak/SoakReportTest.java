package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.FaultKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The report of a soak. */
class SoakReportTest {
    private static final List<Entry> ENTRIES = List.of(
            new Entry.Leg(1, 7, false, "1234567", "7.0.15", "2026-01-01T00:00:00Z"),
            new Entry.OfProcess("1/0.0", 0, 1, 2, 3, 4),
            new Entry.OfServers("1", 0, 1, 2, 3),
            new Entry.Minute(0, FaultKind.CUT_FIN, 1_500, 1_234));

    private static List<String> lines(int minutes) {
        SoakOptions options = new SoakOptions(minutes, false, 7, Path.of("."), Path.of("here"), Optional.empty());
        return new SoakReport(options, ENTRIES, Judgement.of(ENTRIES, 10)).lines();
    }

    /** The command has the same time to the minute. */
    @Test
    void lines_command() {
        assertThat(lines(45)).anyMatch(line -> line.contains("--soak 0.75 --topology single --seed 7"));
        assertThat(lines(120)).anyMatch(line -> line.contains("--soak 2 --topology"));
        String hours = lines(50).get(1).replaceAll(".*--soak (\\S+) .*", "$1");
        assertThat(SoakOptions.parse(List.of("--soak", hours)).minutes()).isEqualTo(50);
    }

    /** The build and the totals; servers that are too short to be judged are no process. */
    @Test
    void lines_totals() {
        assertThat(lines(1))
                .contains(
                        "Leg 1 on one server, commit 1234567, Redis 7.0.15, began 2026-01-01T00:00:00Z. ",
                        "| holds, and uses of a latch | 1,234 |",
                        "| turns that failed | 4 |",
                        "| processes too short-lived to be judged | 1 |")
                .anyMatch(line -> line.endsWith("| 1 | 1.5 |"));
    }
}
