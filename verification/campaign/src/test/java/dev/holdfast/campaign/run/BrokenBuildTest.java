package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of two builds: the present one, and the same with scripts that are broken on purpose as the earlier one. */
@Tag("slow")
@Tag("harness")
class BrokenBuildTest {
    private static final int MOST_ROUNDS = 3;

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

        assertThat(violations())
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("no waiter sleeps beside a free lock"));
    }

    /** The earlier build has its locks under other keys: owners of both builds have one lock at once. */
    @Test
    void run_otherKeys() throws Exception {
        scripts.pack(List.of("acquire.lua", "release.lua"), "KEYS[1]", "(KEYS[1] .. ':v0')");

        assertThat(violations())
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("two holders are never valid at once"));
    }

    /** {@return the violations of a round of two builds like a crowd, in which every release is contended; repeated until it has some} */
    private List<String> violations() throws InterruptedException {
        long seed = ShortRounds.seed(Theme.VERSIONS, round -> round.theme() == Theme.CROWD);
        Options options = Options.parse(List.of(
                "--repository",
                directory.toString(),
                "--rounds",
                "1",
                "--before",
                directory.toString(),
                "--round-seed",
                Long.toString(seed)));
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            CampaignRun campaign = new CampaignRun(options, output::add);
            if (campaign.run() == Ending.VIOLATED) {
                return campaign.tally().violations();
            }
        }
        return List.of();
    }
}
