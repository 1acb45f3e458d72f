package dev.holdfast.campaign.run;

import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rounds of read-write locks whose scripts are broken on purpose, in all clients. */
@Tag("slow")
@Tag("harness")
class BrokenReadWriteRoundsTest {
    private final ShortRounds rounds;

    BrokenReadWriteRoundsTest(@TempDir Path directory) {
        this.rounds = new ShortRounds(directory);
    }

    /** A reader joins others although a writer waits, and its client is not told of that. */
    @Test
    void run_readersPassWriters() throws Exception {
        rounds.assertBroken(
                "readers share a lock, and have it in turn with writers",
                Theme.READ_WRITE,
                "rw-acquire.lua",
                "mode == 'shared' and w.count == 0",
                "mode == 'shared'");
    }

    /** Each reader that releases ends the phase: writers have the lock beside the other readers. */
    @Test
    void run_eachReaderEndsThePhase() throws Exception {
        rounds.assertBroken(
                "two holders are never valid at once",
                Theme.READ_WRITE,
                "rw-release.lua",
                "r.holding > 1",
                "r.holding > 1000");
    }
}
