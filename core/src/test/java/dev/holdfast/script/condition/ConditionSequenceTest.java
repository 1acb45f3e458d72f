package dev.holdfast.script.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.script.condition.WaitSetCommand.Verb;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The wait sets after commands by chance: queues in the order of the waits, a signal to one that is alive and subscribed, and to no
 * other, all that wait when a client has died, and nothing left.
 *
 * <p>The scripts run unchanged, with a clock, expiries and subscribers that the test sets.
 */
@Tag("script")
final class ConditionSequenceTest {
    private static final int RUNS = Integer.getInteger("condition.runs", 4);
    private static final int LENGTH = 250;

    @AutoClose
    private static final WaitSetScripts scripts = new WaitSetScripts();

    /** Commands of five clients. */
    @Test
    void byChance() {
        byChance(RUNS, false);
    }

    /** The same, where each command is first refused in part: the queues stay whole, and the key has an expiry. */
    @Test
    void refused_inPart() {
        byChance(RUNS / 2, true);
    }

    /** The same for longer, in which each command changes the wait sets. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void byChance_longer() {
        assertThat(byChance(20 * RUNS, false)).containsOnlyKeys(Verb.values());
    }

    /** {@return how often each command has changed the wait sets} */
    private static Map<Verb, Integer> byChance(int runs, boolean refusals) {
        long seed = Long.getLong("condition.seed", System.nanoTime());
        System.out.println("conditions by chance: -Dcondition.seed=" + seed);
        Map<Verb, Integer> effective = WaitSetSequences.counts();
        WaitSetScripts.Loaded shipped = scripts.shipped();
        for (int i = 0; i < runs; i++) {
            assertThat(new WaitSetSequences(scripts, shipped, new Random(seed + i), refusals, effective).run(LENGTH))
                    .as("run %s of seed %s", i, seed)
                    .isEmpty();
        }
        System.out.println(effective);
        return effective;
    }
}
