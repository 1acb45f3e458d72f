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

/**
 * Rounds of one theme whose scripts are broken on purpose, in all clients. How much a round does depends on the machine: it is repeated
 * until it has shown what is broken.
 */
@Tag("slow")
class BrokenRoundsTest {
    /** The longest time that all faults of the round may take together. */
    private static final Duration SHORT = Duration.ofSeconds(12);

    private static final int MOST_ROUNDS = 5;

    private final BrokenScripts scripts;
    private final Path directory;
    private final List<String> output = new ArrayList<>();

    BrokenRoundsTest(@TempDir Path directory) {
        this.directory = directory;
        this.scripts = new BrokenScripts(directory);
    }

    /** A reader joins others although a writer waits, and its client is not told of that. */
    @Test
    void run_readersPassWriters() throws Exception {
        assertThat(violations(
                        seed(Theme.READ_WRITE),
                        "rw-acquire.lua",
                        "mode == 'shared' and w.count == 0",
                        "mode == 'shared'"))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("readers share a lock, and have it in turn with writers"));
    }

    /** Each reader that releases ends the phase: writers have the lock beside the other readers. */
    @Test
    void run_eachReaderEndsThePhase() throws Exception {
        assertThat(violations(seed(Theme.READ_WRITE), "rw-release.lua", "r.holding > 1", "r.holding > 1000"))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("two holders are never valid at once"));
    }

    /** Each countdown counts twice: two of them open a latch of three. */
    @Test
    void run_countdownsCountTwice() throws Exception {
        assertThat(violations(
                        seed(Theme.LATCHES), "latch-count-down.lua", "rest - ARGV[i + 1]", "rest - 2 * ARGV[i + 1]"))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("a latch opens when it is counted down"));
    }

    /** The last countdown publishes nothing: those that await the latch sleep. */
    @Test
    void run_latchOpensWithoutMessage() throws Exception {
        assertThat(violations(
                        seed(Theme.LATCHES), "latch-count-down.lua", "redis.pcall(publish, ", "redis.pcall('EXISTS', "))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("a latch opens when it is counted down"));
    }

    /** Permits are granted although all are held. */
    @Test
    void run_morePermitsThanThereAre() throws Exception {
        assertThat(violations(
                        seed(Theme.SEMAPHORE),
                        "sem-acquire.lua",
                        "count == 0 and held + permits <= limit",
                        "count == 0"))
                .as(String.join("\n", output))
                .anyMatch(violation -> violation.startsWith("no more permits are held than there are"));
    }

    private List<String> violations(long seed, String script, String correct, String broken) throws Exception {
        String classPath = scripts.pack(List.of(script), correct, broken) + ":" + System.getProperty("java.class.path");
        Options options = Options.parse(
                List.of("--repository", directory.toString(), "--rounds", "1", "--round-seed", Long.toString(seed)));
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            CampaignRun campaign = new CampaignRun(options, output::add, classPath);
            if (campaign.run() == Ending.VIOLATED) {
                return campaign.tally().violations();
            }
        }
        return List.of();
    }

    private static long seed(Theme theme) {
        return LongStream.iterate(1, next -> next + 1)
                .map(next -> Schedule.seeds(next, theme).getAsLong())
                .filter(next -> isShort(Schedule.round(next)))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isShort(RoundPlan round) {
        return !round.hasGuest()
                && round.locks().size() == 1
                && round.faults().stream()
                                .map(fault -> fault.after().plus(fault.length()))
                                .reduce(Duration.ZERO, Duration::plus)
                                .compareTo(SHORT)
                        < 0;
    }
}
