package dev.holdfast.script.readwrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteScripts.Effect;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of {@link ReadWriteSequenceTest} detect defects of the scripts. */
@Tag("script")
@Tag("slow")
@Tag("harness")
final class ReadWriteDefectTest {
    /** Enough for each of the defects. */
    private static final int MOST_RUNS = 400;

    private static final int LENGTH = 400;

    /** With which run the search begins for those that few runs find. */
    private static final Map<ReadWriteDefect, Integer> FIRST_RUNS = Map.of(
            ReadWriteDefect.ADMITTED_WITHIN_THE_OLDER_EXPIRY, 238,
            ReadWriteDefect.TURN_BEFORE_ITS_TIME, 71,
            ReadWriteDefect.SETTLED_IN_PLACE_OF_A_NEWER_HOLD, 42,
            ReadWriteDefect.TURN_BEFORE_EACH_WRITER_WAS_GRANTED, 37);

    /** Chance seldom finds these. */
    private static final String GRANT_WITHOUT_MESSAGE = "GRANT_REFUSED_IN_PART_WITHOUT_MESSAGE";

    private static final String OVER_A_NEWER_PLACE = "ADMITTED_OVER_A_NEWER_PLACE";
    private static final long NOW = 1_700_000_000_000_000L;

    @AutoClose
    private static final ReadWriteScripts scripts = new ReadWriteScripts();

    /** Each defect breaks a rule. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {GRANT_WITHOUT_MESSAGE, OVER_A_NEWER_PLACE})
    void defect_breaksARule(ReadWriteDefect defect) {
        ReadWriteScripts.Loaded changed = scripts.changed(defect::change);
        List<String> faults = List.of();
        int first = FIRST_RUNS.getOrDefault(defect, 0);
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            int run = first + runs;
            faults = new ReadWriteSequences(
                            scripts,
                            changed,
                            ReadWriteSequences.random(run),
                            run % 2 == 1,
                            defect.needsRefusals(),
                            ReadWriteSequences.counts())
                    .run(LENGTH);
            runs++;
        }
        assertThat(faults).as("after %s runs", runs).isNotEmpty();
        System.out.println(defect + " after " + runs + " runs: " + faults.get(0));
    }

    /** Two readers wait, and only the first is granted the lock, since the key ends too early for the other. */
    @Test
    void grant_refusedInPart() {
        assertThat(refusedInPart(scripts.shipped())).isEmpty();
        assertThat(refusedInPart(changed(GRANT_WITHOUT_MESSAGE)))
                .containsExactly("a reader has lost its place without a message");
    }

    private static List<String> refusedInPart(ReadWriteScripts.Loaded loaded) {
        List<String> listening = grantChannels("b", "c");
        ReadWriteState before = after(
                loaded,
                listening,
                ReadWriteCommand.acquire("a:1", 1, 1, 200, Side.WRITE, false),
                ReadWriteCommand.acquire("b:-1", 2, 1, 40, Side.READ, true),
                ReadWriteCommand.acquire("c:-1", 3, 1, 300, Side.READ, true));
        ReadWriteCommand release = ReadWriteCommand.release("a:1", 1, 0);
        List<String> missing = List.of("PEXPIRE");
        Effect effect = loaded.run(release, NOW, listening, missing, "PUBLISH");
        assertThat(effect.after().hold("b:-1", 2)).isNotNull();
        assertThat(effect.after().hold("c:-1", 3)).isNull();
        return ReadWriteRefusals.faults(new ReadWriteStep(before, release, NOW, listening, effect), missing);
    }

    /** A late attempt of a reader finds that the writers before its newer place are not subscribed any more. */
    @Test
    void admitted_overANewerPlace() {
        assertThat(overANewerPlace(scripts.shipped())).isEmpty();
        assertThat(overANewerPlace(changed(OVER_A_NEWER_PLACE))).contains("a client has lost its place");
    }

    private static List<String> overANewerPlace(ReadWriteScripts.Loaded loaded) {
        List<String> listening = grantChannels("b");
        List<String> both = Stream.concat(listening.stream(), Stream.of(ReadWriteCommand.grantChannel("c", Side.WRITE)))
                .toList();
        ReadWriteState before = after(
                loaded,
                both,
                ReadWriteCommand.acquire("a:-1", 1, 1, 200, Side.READ, false),
                ReadWriteCommand.acquire("c:1", 2, 1, 200, Side.WRITE, true),
                ReadWriteCommand.acquire("b:-1", 4, 1, 200, Side.READ, true));
        ReadWriteCommand late = ReadWriteCommand.acquire("b:-1", 3, 1, 200, Side.READ, true);
        Effect effect = loaded.run(late, NOW, listening, List.of(), "PUBLISH");
        return ReadWriteRules.faults(new ReadWriteStep(before, late, NOW, listening, effect));
    }

    private static ReadWriteScripts.Loaded changed(String defect) {
        return scripts.changed(ReadWriteDefect.valueOf(defect)::change);
    }

    private static List<String> grantChannels(String... readers) {
        return Stream.of(readers)
                .map(client -> ReadWriteCommand.grantChannel(client, Side.READ))
                .toList();
    }

    /** {@return the lock that was free before these} */
    private static ReadWriteState after(
            ReadWriteScripts.Loaded loaded, List<String> listening, ReadWriteCommand... commands) {
        ReadWriteState state = new ReadWriteState(ReadWriteState.NO_KEY, Map.of());
        scripts.restore(state);
        for (ReadWriteCommand command : commands) {
            state = loaded.run(command, NOW, listening, List.of(), "PUBLISH").after();
        }
        return state;
    }
}
