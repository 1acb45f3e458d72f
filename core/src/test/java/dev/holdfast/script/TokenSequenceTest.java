package dev.holdfast.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockKinds;
import dev.holdfast.Patience;
import dev.holdfast.script.RawCommand.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tokens of a fenced lock, in every sequence of commands of two owners up to a length: a hold keeps its token, each
 * new hold has a larger one than any before, whatever comes twice or late, and the reply to a grant has the token of
 * the hold.
 */
@Tag("script")
final class TokenSequenceTest {
    private static final int LENGTH = 5;
    private static final int SHORT = 4;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final ScriptSequences shipped = new ScriptSequences(scripts, LockKinds.FENCED, Map.of());

    /** Each command once and in order. */
    @Test
    void inOrder() {
        assertThat(wrongs(shipped, LENGTH, TokenSequenceTest::once)).isEmpty();
    }

    /** A command that comes twice draws nothing the second time. */
    @Test
    void twice() {
        assertThat(wrongs(shipped, LENGTH, TokenSequenceTest::eachTwice)).isEmpty();
    }

    /** A command that comes again at any later time draws nothing, unless it takes the lock. */
    @Test
    void late() {
        assertThat(wrongs(shipped, SHORT, TokenSequenceTest::eachLate)).isEmpty();
    }

    /** These tests detect an acquire that draws a token each time, and a handoff or an adoption that draws none. */
    @ParameterizedTest
    @CsvSource({"ACQUIRE, acquire-drawing-always.lua", "HANDOFF, handoff-keeping-the-token.lua"})
    void brokenTwins(Verb verb, String file) {
        ScriptSequences broken = new ScriptSequences(scripts, LockKinds.FENCED, Map.of(verb, file));
        assertThat(wrongs(broken, SHORT, TokenSequenceTest::once)).isNotEmpty();
    }

    private interface Variants {
        List<List<RawCommand>> of(List<RawCommand> sequence);
    }

    private static List<String> wrongs(ScriptSequences sequences, int length, Variants variants) {
        List<CompletableFuture<String>> checks = new ArrayList<>();
        for (List<RawCommand> sequence : ScriptSequences.ofLength(length)) {
            // Its token is that of another node, above which the tokens of this one are raised before the next is
            // drawn.
            if (sequence.stream().anyMatch(command -> command.verb() == RawCommand.Verb.SETTLE)) {
                continue;
            }
            for (List<RawCommand> variant : variants.of(sequence)) {
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

    private static List<List<RawCommand>> once(List<RawCommand> sequence) {
        return List.of(sequence);
    }

    private static List<List<RawCommand>> eachTwice(List<RawCommand> sequence) {
        List<List<RawCommand>> variants = new ArrayList<>();
        for (int i = 0; i < sequence.size(); i++) {
            variants.add(ScriptSequences.with(sequence, i, sequence.get(i)));
        }
        return variants;
    }

    private static List<List<RawCommand>> eachLate(List<RawCommand> sequence) {
        List<List<RawCommand>> variants = new ArrayList<>();
        for (int sent = 0; sent < sequence.size(); sent++) {
            for (int arrival = sent + 1; arrival <= sequence.size(); arrival++) {
                variants.add(ScriptSequences.with(sequence, arrival, sequence.get(sent)));
            }
        }
        return variants;
    }
}
