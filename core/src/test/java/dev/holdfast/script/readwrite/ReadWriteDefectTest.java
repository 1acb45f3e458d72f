package dev.holdfast.script.readwrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteScripts.Effect;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules of {@link ReadWriteSequenceTest} detect defects of the scripts. */
@Tag("script")
@Tag("slow")
final class ReadWriteDefectTest {
    /** Enough for each of the defects. */
    private static final int MOST_RUNS = 400;

    private static final int LENGTH = 400;

    /** Chance seldom finds it. */
    private static final String RARE = "GRANT_REFUSED_IN_PART_WITHOUT_MESSAGE";

    @AutoClose
    private static final ReadWriteScripts scripts = new ReadWriteScripts();

    /** Each defect breaks a rule. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = RARE)
    void defect_breaksARule(ReadWriteDefect defect) {
        ReadWriteScripts.Loaded changed = scripts.changed(defect::change);
        List<String> faults = List.of();
        int runs = 0;
        while (faults.isEmpty() && runs < MOST_RUNS) {
            faults = new ReadWriteSequences(
                            scripts,
                            changed,
                            new Random(runs),
                            runs % 2 == 1,
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
        assertThat(refusedInPart(scripts.changed(ReadWriteDefect.valueOf(RARE)::change)))
                .containsExactly("a reader has lost its place without a message");
    }

    private static List<String> refusedInPart(ReadWriteScripts.Loaded loaded) {
        List<String> listening = Stream.of("b", "c")
                .map(client -> ReadWriteCommand.grantChannel(client, Side.READ))
                .toList();
        long now = 1_700_000_000_000_000L;
        ReadWriteState before = new ReadWriteState(ReadWriteState.NO_KEY, Map.of());
        scripts.restore(before);
        for (ReadWriteCommand acquire : List.of(
                ReadWriteCommand.acquire("a:1", 1, 1, 200, Side.WRITE, false),
                ReadWriteCommand.acquire("b:-1", 2, 1, 40, Side.READ, true),
                ReadWriteCommand.acquire("c:-1", 3, 1, 300, Side.READ, true))) {
            before = loaded.run(acquire, now, listening, List.of(), "PUBLISH").after();
        }
        ReadWriteCommand release = ReadWriteCommand.release("a:1", 1, 0);
        List<String> missing = List.of("PEXPIRE");
        Effect effect = loaded.run(release, now, listening, missing, "PUBLISH");
        assertThat(effect.after().hold("b:-1", 2)).isNotNull();
        assertThat(effect.after().hold("c:-1", 3)).isNull();
        return ReadWriteRefusals.faults(new ReadWriteStep(before, release, now, listening, effect), missing);
    }
}
