package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of conditions whose script is broken on purpose, in all clients. */
@Tag("slow")
@Tag("harness")
class BrokenConditionRoundsTest {
    private final ShortRounds rounds;

    BrokenConditionRoundsTest(@TempDir Path directory) {
        this.rounds = new ShortRounds(directory);
    }

    /** Nobody is signalled. */
    @Test
    void run_noSignals() throws Exception {
        rounds.assertBroken(
                "no waiter for a condition sleeps beside what it waits for",
                Theme.CONDITIONS,
                "condition-part.lua",
                "for i = 9, #ARGV, 2",
                "for i = 9, 8, 2");
    }
}
