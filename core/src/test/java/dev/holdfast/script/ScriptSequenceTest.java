package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockKinds;
import dev.holdfast.Patience;
import dev.holdfast.script.RawCommand.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule for scripts: safe when sent twice, safe when late, safe after any later command of the same owner. Checked
 * for every sequence of commands of two owners up to a length, instead of for selected ones.
 *
 * <p>One command is not safe when late: the first acquire of a tenure, on a lock that is free by then, acquires it
 * without a holder. No script could distinguish it from one in time. The link does: it ends the old connection on the
 * server before a new one is used.
 */
@Tag("script")
@ParameterizedClass
@EnumSource(LockKinds.class)
final class ScriptSequenceTest {
    private static final int LENGTH = 5;

    /** Long enough for the faults of a broken twin to show. */
    private static final int SHORT = 4;

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final LockKinds kind;
    private final ScriptSequences shipped;

    ScriptSequenceTest(LockKinds kind) {
        this.kind = kind;
        this.shipped = new ScriptSequences(scripts, kind, Map.of());
    }

    /** Each command has its defined effect when it comes once and in order. */
    @Test
    void inOrder_doesWhatItMeans() {
        assertThat(wrongs(LENGTH, sequence -> List.of(inOrder(shipped, sequence))))
                .isEmpty();
    }

    /** A command that comes twice has its whole effect the first time; no count is wrong because of the second. */
    @Test
    void twice_isAsGoodAsOnce() {
        assertThat(wrongs(LENGTH - 1, sequence -> twice(shipped, sequence))).isEmpty();
    }

    /** After any of its prefixes the whole sequence ends as it does alone, and harms no newer hold on the way. */
    @Test
    void fromTheStartAgain_endsTheSame() {
        assertThat(wrongs(LENGTH - 1, sequence -> again(shipped, sequence))).isEmpty();
    }

    /**
     * A command that comes again at any later time harms neither a newer hold nor another owner's, and does not leave a
     * released lock held. Within its own hold it may set the count back, until the next release corrects it, and make
     * the lease longer, but not shorter.
     */
    @Test
    void late_harmsNoHold() {
        assertThat(wrongs(LENGTH - 1, sequence -> late(shipped, sequence))).isEmpty();
    }

    /** The same for longer sequences. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void twice_isAsGoodAsOnce_longer() {
        assertThat(wrongs(LENGTH, sequence -> twice(shipped, sequence))).isEmpty();
    }

    /** The same for longer sequences. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void fromTheStartAgain_endsTheSame_longer() {
        assertThat(wrongs(LENGTH, sequence -> again(shipped, sequence))).isEmpty();
    }

    /** The same for longer sequences. */
    @Tag("slow")
    @Tag("deep")
    @Test
    void late_harmsNoHold_longer() {
        assertThat(wrongs(LENGTH, sequence -> late(shipped, sequence))).isEmpty();
    }

    /** A first acquire that came late and acquired a free lock is adopted by the next hold of its owner. */
    @Test
    void late_firstAcquireIsAdopted() {
        String lock = scripts.newLock();
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        assertThat(scripts.acquire(lock, OWNER, 2, 1, LEASE)).isEqualTo(2L);
        assertThat(scripts.release(lock, OWNER, 1, 0)).isEqualTo(2L);
        assertThat(scripts.release(lock, OWNER, 2, 0)).isEqualTo(2L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** These tests detect an acquire that increments the count instead of setting it. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_countingAcquire() {
        ScriptSequences broken = new ScriptSequences(scripts, kind, Map.of(Verb.ACQUIRE, "acquire-counting.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isEmpty();
        assertThat(wrongs(SHORT, sequence -> twice(broken, sequence))).isNotEmpty();
        assertThat(wrongs(SHORT, sequence -> again(broken, sequence))).isNotEmpty();
    }

    /** These tests detect a release that does not check the tenure. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_releaseOfAnyTenure() {
        ScriptSequences broken = new ScriptSequences(scripts, kind, Map.of(Verb.RELEASE, "release-of-any-tenure.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isEmpty();
        assertThat(wrongs(SHORT, sequence -> again(broken, sequence))).isNotEmpty();
        assertThat(wrongs(SHORT, sequence -> late(broken, sequence))).isNotEmpty();
    }

    /** These tests detect a handoff that does not check which hold it hands off. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_handoffOfAnyTenure() {
        ScriptSequences broken = new ScriptSequences(scripts, kind, Map.of(Verb.HANDOFF, "handoff-of-any-tenure.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isEmpty();
        assertThat(wrongs(SHORT, sequence -> again(broken, sequence))).isNotEmpty();
        assertThat(wrongs(SHORT, sequence -> late(broken, sequence))).isNotEmpty();
    }

    /** These tests detect a settlement that takes the lock from any hold of the owner that has released one. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_settleOfAnyTenure() {
        ScriptSequences broken = new ScriptSequences(scripts, kind, Map.of(Verb.SETTLE, "settle-of-any-tenure.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isEmpty();
        assertThat(wrongs(SHORT, sequence -> again(broken, sequence))).isNotEmpty();
        assertThat(wrongs(SHORT, sequence -> late(broken, sequence))).isNotEmpty();
    }

    /** These tests detect an acquire that keeps the longer lease of the tenure it adopts, without a holder for it. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_adoptionKeepingTheLease() {
        ScriptSequences broken =
                new ScriptSequences(scripts, kind, Map.of(Verb.ACQUIRE, "acquire-keeping-the-lease.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isNotEmpty();
    }

    /** These tests detect a re-entry that shortens the lease. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_shorteningReentry() {
        ScriptSequences broken = new ScriptSequences(scripts, kind, Map.of(Verb.ACQUIRE, "acquire-shortening.lua"));
        assertThat(wrongs(SHORT, sequence -> List.of(inOrder(broken, sequence))))
                .isNotEmpty();
        assertThat(wrongs(SHORT, sequence -> late(broken, sequence))).isNotEmpty();
    }

    /** These tests detect a close after which a late renewal of the hold extends the lease without a holder. */
    @Tag("slow")
    @Tag("harness")
    @Test
    void brokenTwin_closeLeavingTheTenure() {
        ScriptSequences broken =
                new ScriptSequences(scripts, kind, Map.of(Verb.CLOSE_AFTER, "close-after-leaving-the-tenure.lua"));
        assertThat(wrongs(SHORT, sequence -> late(broken, sequence))).isNotEmpty();
    }

    /** The checks of a sequence: each returns the faults it found, or nothing. */
    private interface Checks {
        List<CompletableFuture<String>> of(List<RawCommand> sequence);
    }

    private static List<String> wrongs(int length, Checks checks) {
        List<CompletableFuture<String>> running = new ArrayList<>();
        for (List<RawCommand> sequence : ScriptSequences.ofLength(length)) {
            running.addAll(checks.of(sequence));
        }
        return running.stream()
                .map(Patience::get)
                .filter(wrong -> !wrong.isEmpty())
                .toList();
    }

    private static CompletableFuture<String> inOrder(ScriptSequences sequences, List<RawCommand> sequence) {
        List<LockState> meant = ScriptSequences.meant(sequence);
        return sequences.run(sequence).thenApply(seen -> seen.equals(meant) ? "" : sequence + ": " + seen);
    }

    private static List<CompletableFuture<String>> twice(ScriptSequences sequences, List<RawCommand> sequence) {
        List<CompletableFuture<String>> checks = new ArrayList<>();
        for (int i = 0; i < sequence.size(); i++) {
            List<RawCommand> doubled = ScriptSequences.with(sequence, i, sequence.get(i));
            List<LockState> meant = new ArrayList<>(ScriptSequences.meant(sequence));
            meant.add(i + 1, meant.get(i + 1));
            checks.add(sequences.run(doubled).thenApply(seen -> seen.equals(meant) ? "" : doubled + ": " + seen));
        }
        return checks;
    }

    private static List<CompletableFuture<String>> again(ScriptSequences sequences, List<RawCommand> sequence) {
        List<CompletableFuture<String>> checks = new ArrayList<>();
        List<LockState> meant = ScriptSequences.meant(sequence);
        for (int prefix = 1; prefix <= sequence.size(); prefix++) {
            int begun = prefix;
            List<RawCommand> all = new ArrayList<>(sequence.subList(0, begun));
            all.addAll(sequence);
            LockState held = meant.get(begun);
            checks.add(sequences.run(all).thenApply(seen -> {
                boolean unharmed = held.equals(LockState.FREE)
                        || seen.subList(begun, 2 * begun).stream().allMatch(held::isSameHoldAs);
                boolean endsTheSame = seen.get(all.size()).equals(meant.get(sequence.size()));
                return unharmed && endsTheSame ? "" : "after " + begun + " " + sequence + ": " + seen;
            }));
        }
        return checks;
    }

    private static List<CompletableFuture<String>> late(ScriptSequences sequences, List<RawCommand> sequence) {
        List<CompletableFuture<String>> checks = new ArrayList<>();
        List<LockState> meant = ScriptSequences.meant(sequence);
        for (int sent = 0; sent < sequence.size(); sent++) {
            RawCommand command = sequence.get(sent);
            for (int arrival = sent + 1; arrival <= sequence.size(); arrival++) {
                if (command.isFirstAcquire() && meant.get(arrival).equals(LockState.FREE)) {
                    continue;
                }
                List<LockState> expected = new ArrayList<>(meant);
                expected.add(arrival, meant.get(arrival));
                List<RawCommand> all = ScriptSequences.with(sequence, arrival, command);
                checks.add(sequences
                        .run(all)
                        .thenApply(seen ->
                                isUnharmed(expected, seen, command) ? "" : command + " late in " + all + ": " + seen));
            }
        }
        return checks;
    }

    private static boolean isUnharmed(List<LockState> expected, List<LockState> seen, RawCommand late) {
        return IntStream.range(0, expected.size())
                .allMatch(i -> seen.get(i).equals(expected.get(i))
                        || (late.isAbout(expected.get(i))
                                && seen.get(i).isSameHoldAs(expected.get(i))
                                && seen.get(i).leaseMinutes() >= expected.get(i).leaseMinutes()));
    }
}
