package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of latches and of semaphores whose scripts are broken on purpose, in all clients. */
@Tag("slow")
@Tag("harness")
class BrokenCountedRoundsTest {
    private final ShortRounds rounds;

    BrokenCountedRoundsTest(@TempDir Path directory) {
        this.rounds = new ShortRounds(directory);
    }

    /** Each countdown counts twice: two of them open a latch of three. */
    @Test
    void run_countdownsCountTwice() throws Exception {
        rounds.assertBroken(
                "a latch opens when it is counted down",
                Theme.LATCHES,
                "latch-count-down.lua",
                "rest - ARGV[i + 1]",
                "rest - 2 * ARGV[i + 1]");
    }

    /** The last countdown publishes nothing: those that await the latch sleep. */
    @Test
    void run_latchOpensWithoutMessage() throws Exception {
        rounds.assertBroken(
                "a latch opens when it is counted down",
                Theme.LATCHES,
                "latch-count-down.lua",
                "redis.pcall(publish, ",
                "redis.pcall('EXISTS', ");
    }

    /** Permits are granted although all are held. */
    @Test
    void run_morePermitsThanThereAre() throws Exception {
        rounds.assertBroken(
                "no more permits are held than there are",
                Theme.SEMAPHORE,
                "sem-acquire.lua",
                "count == 0 and held + permits <= limit",
                "count == 0");
    }
}
