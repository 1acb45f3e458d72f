package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ScriptCommand.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tokens of a fenced lock, in every sequence of commands of two owners up to a length: a hold keeps its token, each new
 * hold has a larger one than any before, whatever comes twice or late, and who is granted the lock is told the token it has.
 */
final class TokenSequenceTest {
    private static final int LENGTH = 5;
    private static final int SHORT = 4;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final ScriptSequences ours = new ScriptSequences(scripts, Kind.FENCED, Map.of());

    /** Each command once and in order. */
    @Test
    void inOrder() {
        assertThat(wrongs(ours, LENGTH, TokenSequenceTest::once)).isEmpty();
    }

    /** A command that comes twice draws nothing the second time. */
    @Test
    void twice() {
        assertThat(wrongs(ours, LENGTH, TokenSequenceTest::eachTwice)).isEmpty();
    }

    /** A command that comes again at any later time draws nothing, unless it takes the lock. */
    @Test
    void late() {
        assertThat(wrongs(ours, SHORT, TokenSequenceTest::eachLate)).isEmpty();
    }

    /** These tests notice an acquire that draws a token each time, and ones that draw none with a handoff or adoption. */
    @ParameterizedTest
    @CsvSource({"ACQUIRE, acquire-drawing-always.lua", "HANDOFF, handoff-keeping-the-token.lua"})
    void brokenTwins(Verb verb, String file) {
        ScriptSequences broken = new ScriptSequences(scripts, Kind.FENCED, Map.of(verb, file));
        assertThat(wrongs(broken, SHORT, TokenSequenceTest::once)).isNotEmpty();
    }

    private interface Variants {
        List<List<ScriptCommand>> of(List<ScriptCommand> sequence);
    }

    private static List<String> wrongs(ScriptSequences sequences, int length, Variants variants) {
        List<CompletableFuture<String>> checks = new ArrayList<>();
        for (List<ScriptCommand> sequence : ScriptSequences.ofLength(length)) {
            for (List<ScriptCommand> variant : variants.of(sequence)) {
                checks.add(sequences
                        .run(variant, TokenState::read)
                        .thenApply(seen -> TokenState.areInOrder(seen) ? "" : variant + ": " + seen));
            }
        }
        return checks.stream()
                .map(Patience::get)
                .filter(wrong -> !wrong.isEmpty())
                .toList();
    }

    private static List<List<ScriptCommand>> once(List<ScriptCommand> sequence) {
        return List.of(sequence);
    }

    private static List<List<ScriptCommand>> eachTwice(List<ScriptCommand> sequence) {
        List<List<ScriptCommand>> variants = new ArrayList<>();
        for (int i = 0; i < sequence.size(); i++) {
            variants.add(ScriptSequences.with(sequence, i, sequence.get(i)));
        }
        return variants;
    }

    private static List<List<ScriptCommand>> eachLate(List<ScriptCommand> sequence) {
        List<List<ScriptCommand>> variants = new ArrayList<>();
        for (int sent = 0; sent < sequence.size(); sent++) {
            for (int arrival = sent + 1; arrival <= sequence.size(); arrival++) {
                variants.add(ScriptSequences.with(sequence, arrival, sequence.get(sent)));
            }
        }
        return variants;
    }
}
