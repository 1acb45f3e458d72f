package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of two builds: the present one, and the same with a script that is broken on purpose as the earlier one. */
@Tag("slow")
class BrokenBuildTest {
    private static final String RELEASE = "dev/holdfast/internal/kind/release.lua";

    /** The longest time that all faults of the round may take together. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    private final Path directory;
    private final List<String> output = new ArrayList<>();

    BrokenBuildTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** The releases of the earlier build publish nothing: waiters sleep beside the free lock. */
    @Test
    void run_releaseWithoutMessage() throws Exception {
        assertThat(violations("redis.pcall(publish,", "redis.pcall('EXISTS',"))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("no waiter sleeps beside a free lock"));
    }

    /** The earlier build sends grants in another form: clients of the present one do not know that they have the lock. */
    @Test
    void run_grantInAnotherForm() throws Exception {
        assertThat(violations("table.concat({to, number, now,", "table.concat({number, to, now,"))
                .as(String.join("\n", output))
                .isNotEmpty();
    }

    /** {@return the violations of the first round of two builds like a crowd, in which every release is contended} */
    private List<String> violations(String correct, String broken) throws IOException, InterruptedException {
        String release = source();
        assertThat(release).contains(correct);
        pack(release.replace(correct, broken));
        CampaignRun campaign = new CampaignRun(
                Options.parse(List.of(
                        "--repository",
                        directory.toString(),
                        "--rounds",
                        "1",
                        "--before",
                        directory.toString(),
                        "--round-seed",
                        Long.toString(seed()))),
                output::add);

        assertThat(campaign.run()).isEqualTo(Ending.VIOLATED);
        return campaign.tally().violations();
    }

    private static long seed() {
        return LongStream.iterate(1, next -> next + 1)
                .map(next -> Schedule.seeds(next, Theme.VERSIONS).getAsLong())
                .filter(next -> isShort(Schedule.round(next)))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isShort(RoundPlan round) {
        return round.theme() == Theme.CROWD
                && round.faults().stream()
                                .map(fault -> fault.after().plus(fault.length()))
                                .reduce(Duration.ZERO, Duration::plus)
                                .compareTo(SHORT)
                        < 0;
    }

    private static String source() throws IOException {
        try (InputStream in = Holdfast.class.getResourceAsStream("/" + RELEASE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Nothing else is in the jar, so that its processes use the present build with this script. */
    private void pack(String release) throws IOException {
        Path jar = directory.resolve("holdfast-core-broken.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(RELEASE));
            out.write(release.getBytes(StandardCharsets.UTF_8));
        }
    }
}
