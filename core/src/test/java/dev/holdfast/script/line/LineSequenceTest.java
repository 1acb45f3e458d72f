package dev.holdfast.script.line;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The line of clients, in every sequence of commands up to a length. After each command, the lock, the reply and the
 * messages are as {@link LineModel} predicts, and the rules of {@link LineRules} are kept.
 *
 * <p>The scripts run unchanged, with a clock that the test sets. One command is not safe when late: a first acquire that
 * finds the lock free, or its client without a place, acquires the lock or joins the line for nobody.
 */
@Tag("script")
final class LineSequenceTest {
    /** How much longer the sequences are than in every build. */
    private static final int LONGER = Integer.getInteger("line.longer", 0);

    private static final int RANDOM_SEQUENCES = Integer.getInteger("line.sequences", 100);
    private static final int RANDOM_LENGTH = 30;

    /** Enough for the places of those that have left to be used again, several times. */
    static final int MANY = 500;

    @AutoClose
    private static final LineScripts scripts = new LineScripts();

    /**
     * Each command has its effect in every order, and one that comes twice, or late, changes nothing that is newer.
     */
    @ParameterizedTest
    @EnumSource(LineKind.class)
    void inAllOrders(LineKind kind) {
        inAllOrders(kind, 4);
    }

    /** The same for longer sequences. The fenced lock differs only in its tokens, for which shorter ones are enough. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void inAllOrders_longer() {
        inAllOrders(LineKind.PLAIN, 5);
    }

    private static void inAllOrders(LineKind kind, int length) {
        LineRun run = new LineRun(scripts.shipped(kind), LineCheck::faults, LineRules::faults);
        LineSequences.all(run, length + LONGER);
        assertThat(run.faults()).isEmpty();
        System.out.println(kind + " in all orders: " + run.sent() + " commands");
        Set<LineOutcome> outcomes = EnumSet.allOf(LineOutcome.class);
        if (kind == LineKind.FAIR) {
            outcomes.remove(LineOutcome.LEFT_FREE_FOR_POLLERS);
        }
        assertThat(run.outcomes()).isEqualTo(outcomes);
    }

    /** The same for long sequences by chance, a third of them commands that come again. */
    @ParameterizedTest
    @EnumSource(LineKind.class)
    void byChance(LineKind kind) {
        long seed = Long.getLong("line.seed", System.nanoTime());
        Random random = new Random(seed);
        LineRun run = new LineRun(scripts.shipped(kind), LineCheck::faults, LineRules::faults);
        System.out.println(kind + " by chance: -Dline.sequences=" + RANDOM_SEQUENCES + " -Dline.seed=" + seed);
        for (int i = 0; i < RANDOM_SEQUENCES && !run.hasFailed(); i++) {
            LineSequences.byChance(run, RANDOM_LENGTH, random);
        }
        assertThat(run.faults()).isEmpty();
    }

    /** However many clients have left the line, those that stay are in their order, and the reply tells their place. */
    @ParameterizedTest
    @EnumSource(LineKind.class)
    void comingAndGoing(LineKind kind) {
        LineRun run = new LineRun(scripts.shipped(kind), LineCheck::faults, LineRules::faults);
        LineSequences.comingAndGoing(run, MANY, new Random(1));
        assertThat(run.faults()).isEmpty();
    }
}
