package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of two builds: the present one, and the same with scripts that are broken on purpose as the earlier one. */
@Tag("slow")
class BrokenBuildTest {
    /** The longest time that all faults of the round may take together. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    private final BrokenScripts scripts;
    private final Path directory;
    private final List<String> output = new ArrayList<>();

    BrokenBuildTest(@TempDir Path directory) {
        this.directory = directory;
        this.scripts = new BrokenScripts(directory);
    }

    /** The releases of the earlier build publish nothing: waiters sleep beside the free lock. */
    @Test
    void run_releaseWithoutMessage() throws Exception {
        scripts.pack(List.of("release.lua"), "redis.pcall(publish,", "redis.pcall('EXISTS',");

        assertThat(violations(2))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("no waiter sleeps beside a free lock"));
    }

    /** The earlier build has its locks under other keys: owners of both builds have one lock at once. */
    @Test
    void run_otherKeys() throws Exception {
        scripts.pack(List.of("acquire.lua", "release.lua"), "KEYS[1]", "(KEYS[1] .. ':v0')");

        assertThat(violations(1))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("two holders are never valid at once"));
    }

    /** {@return the violations of so many rounds of two builds like a crowd, in which every release is contended} */
    private List<String> violations(int rounds) throws InterruptedException {
        CampaignRun campaign = new CampaignRun(
                Options.parse(List.of(
                        "--repository",
                        directory.toString(),
                        "--rounds",
                        Integer.toString(rounds),
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
}
