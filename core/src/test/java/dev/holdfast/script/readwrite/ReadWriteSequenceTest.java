package dev.holdfast.script.readwrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The read-write lock after commands by chance: after each command, the lock, the reply and the messages keep the rules of
 * {@link ReadWriteRules}.
 *
 * <p>The scripts run unchanged, with a clock and expiries that the test sets.
 */
@Tag("script")
final class ReadWriteSequenceTest {
    private static final int RUNS = Integer.getInteger("readwrite.runs", 15);
    private static final int LENGTH = 400;

    @AutoClose
    private static final ReadWriteScripts scripts = new ReadWriteScripts();

    /** Commands of four clients, and in every second run of Redisson. */
    @Test
    void byChance() {
        byChance(RUNS, false);
    }

    /** The same for longer, in which each command that may change the lock does so. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void byChance_longer() {
        assertThat(byChance(7 * RUNS, false)).hasSize(Verb.values().length - 1).doesNotContainKey(Verb.VERIFY);
    }

    /** The same, where each command is first refused in part, of which nothing must remain. */
    @Test
    void refused_inPart() {
        byChance(RUNS / 3, true);
    }

    /** {@return how often each command has changed the lock} */
    private static Map<Verb, Integer> byChance(int runs, boolean refusals) {
        long seed = Long.getLong("readwrite.seed", System.nanoTime());
        System.out.println("read-write by chance: -Dreadwrite.seed=" + seed);
        Map<Verb, Integer> effective = ReadWriteSequences.counts();
        ReadWriteScripts.Loaded shipped = scripts.shipped();
        for (int i = 0; i < runs; i++) {
            Random random = ReadWriteSequences.random(seed + i);
            assertThat(new ReadWriteSequences(scripts, shipped, random, i % 2 == 1, refusals, effective).run(LENGTH))
                    .as("run %s of seed %s", i, seed)
                    .isEmpty();
        }
        System.out.println(effective);
        return effective;
    }
}
