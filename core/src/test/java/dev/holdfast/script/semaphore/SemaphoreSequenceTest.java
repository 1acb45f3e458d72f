package dev.holdfast.script.semaphore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts;
import dev.holdfast.script.semaphore.SemaphoreCommand.Verb;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The semaphore after commands by chance, and after some commands in each order, twice: the rules of {@link SemaphoreRules} are
 * kept, and each command does what {@link SemaphoreModel} says.
 *
 * <p>The scripts run unchanged, with a clock and expiries that the test sets.
 */
@Tag("script")
final class SemaphoreSequenceTest {
    private static final int RUNS = Integer.getInteger("semaphore.runs", 8);
    private static final int LENGTH = 400;

    @AutoClose
    private static final SemaphoreScripts scripts = new SemaphoreScripts();

    /** Commands of five clients. */
    @Test
    void byChance() {
        byChance(RUNS, false);
    }

    /** The same for longer, in which each command changes the semaphore. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void byChance_longer() {
        assertThat(byChance(15 * RUNS, false)).containsOnlyKeys(Verb.values());
    }

    /** The same, where each command is first refused in part: no permits are lost, or held twice, by that. */
    @Test
    void refused_inPart() {
        byChance(RUNS / 4, true);
    }

    /** Each of a few commands comes twice, and in every order with the others. */
    @ParameterizedTest
    @EnumSource(names = {"ATTEMPTS_OF_ONE_OWNER", "LEASES_THAT_END", "A_DELAYED_CLOSE"})
    void orders(SemaphoreOrders.Commands commands) {
        assertAllOrders(commands);
    }

    /** The same for longer. */
    @Tag("slow")
    @Tag("deep")
    @ParameterizedTest
    @EnumSource(names = {"TWO_LIMITS", "OWNERS_OF_ONE_CLIENT", "A_CLIENT_THAT_DOES_NOT_LISTEN"})
    void orders_longer(SemaphoreOrders.Commands commands) {
        assertAllOrders(commands);
    }

    private static void assertAllOrders(SemaphoreOrders.Commands commands) {
        SemaphoreOrders orders = new SemaphoreOrders(scripts, scripts.shipped(), commands);
        assertThat(orders.run()).isEmpty();
        System.out.println(commands + ": " + orders.states() + " states");
        assertThat(orders.states()).isGreaterThan(100);
    }

    /** All holds are looked at no sooner than 0.1 ms for each of them after the last time, although one has ended before. */
    @Test
    void looks_areApart() {
        int holders = 50;
        long now = 1_700_000_000_000_000L;
        SemaphoreScripts.Loaded shipped = scripts.shipped();
        scripts.restore(SemaphoreState.FREE);
        for (int i = 1; i <= holders; i++) {
            send(shipped, SemaphoreCommand.acquire("a:" + i, i, 1, holders, 10 + (i + 1) / 2, false), now);
        }
        SemaphoreCommand one = SemaphoreCommand.acquire("b:1", 99, 1, holders, 1_000, false);
        assertThat(send(shipped, SemaphoreCommand.acquire("b:2", 98, 50, holders, 1_000, false), now + 11_000)
                        .reply())
                .isEqualTo(List.of(-4L));
        assertThat(send(shipped, one, now + 14_000).after().holds).hasSize(49).containsKey("a:8");
        assertThat(send(shipped, SemaphoreCommand.release("b:1", 99), now + 15_000)
                        .after()
                        .holds)
                .hasSize(40)
                .doesNotContainKey("a:10")
                .containsKey("a:11");
    }

    private static SemaphoreScripts.Effect send(
            SemaphoreScripts.Loaded loaded, SemaphoreCommand command, long nowMicros) {
        return Patience.get(loaded.send(command, new TimedScripts.Setting(nowMicros, List.of(), List.of()), "PUBLISH"));
    }

    /** {@return how often each command has changed the semaphore} */
    private static Map<Verb, Integer> byChance(int runs, boolean refusals) {
        long seed = Long.getLong("semaphore.seed", System.nanoTime());
        System.out.println("semaphore by chance: -Dsemaphore.seed=" + seed);
        Map<Verb, Integer> effective = SemaphoreSequences.counts();
        SemaphoreScripts.Loaded shipped = scripts.shipped();
        for (int i = 0; i < runs; i++) {
            assertThat(new SemaphoreSequences(scripts, shipped, new Random(seed + i), refusals, effective).run(LENGTH))
                    .as("run %s of seed %s", i, seed)
                    .isEmpty();
        }
        System.out.println(effective);
        return effective;
    }
}
