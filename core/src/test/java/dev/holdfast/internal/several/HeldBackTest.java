package dev.holdfast.internal.several;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockException;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks that are not acquired because of another one, which is not busy: Redis did not execute the command for a while. */
@Tag("pure")
final class HeldBackTest {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final String NOT_EXECUTED = "NOREPLICAS Not enough good replicas to write.";

    /** Where the script of a fenced lock has the tenure, behind its name, its two keys and the owner. */
    private static final int TENURE_OF_FENCED = 6;

    /** Where the script for three plain locks has the tenure of the first, behind the keys, two words and the owner. */
    private static final int FIRST_TENURE_OF_THREE = 9;

    private static final Kind PLAIN = new PlainKind();
    private static final Kind FENCED = new FencedKind(null);

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /** {@return what a call without a wait is granted, for one lock of each of these kinds} */
    private CompletableFuture<Optional<List<PartAcquisition>>> tried(Kind... kinds) {
        return new MemberSet(IntStream.range(0, kinds.length)
                        .mapToObj(i -> new Member(
                                nodes.parts.holds().session(),
                                nodes.parts.acquisitions(),
                                new LockKey(kinds[i], "orders:" + i, ""),
                                nodes.parts.holds().watchedLease()))
                        .toList())
                .begin(null, 0, null)
                .toFuture(granted -> granted);
    }

    /** Redis does not execute the command for the first of two locks. */
    private void replyLate() {
        replyLate(2);
    }

    /** Redis does not execute the command for the first of so many locks. */
    private void replyLate(int locks) {
        List<Object> reply = new ArrayList<>(Collections.nCopies(2 * locks, 0L));
        reply.set(0, NOT_EXECUTED);
        nodes.former.replyAll(reply);
    }

    /** A call without a wait finds no lock busy, and so is not refused: it tries those that are left. */
    @Test
    void noneIsBusy_isGranted() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = tried(PLAIN, PLAIN);
        replyLate();
        nodes.timer.advance(PAUSE);
        nodes.former.reply(nodes.former.tenure());

        assertThat(nodes.former.unanswered()).isEqualTo(1);
        nodes.former.reply(nodes.former.tenure());

        assertThat(TwoNodes.get(call).orElseThrow()).hasSize(2);
    }

    /** Locks behind them that were acquired by another command are kept. */
    @Test
    void othersAreHeld_areKept() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = tried(PLAIN, PLAIN, FENCED);
        replyLate();
        long last = Long.parseLong(nodes.former.received().get(TENURE_OF_FENCED));
        nodes.former.replyAll(List.of(last, 1L));
        nodes.timer.advance(PAUSE);
        nodes.former.reply(nodes.former.tenure());

        assertThat(nodes.former.unanswered()).isEqualTo(1);
        nodes.former.reply(nodes.former.tenure());

        assertThat(TwoNodes.get(call).orElseThrow()).hasSize(3).allMatch(part -> part.granted()
                .isValid());
        assertThat(nodes.former.unanswered()).isZero();
    }

    /** However often the rest is tried, those that are held are passed over. */
    @Test
    void severalTimes_isGranted() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = tried(PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, FENCED);
        replyLate(5);
        long last = Long.parseLong(nodes.former.received().get(TENURE_OF_FENCED));
        nodes.former.replyAll(List.of(last, 1L));
        nodes.timer.advance(PAUSE);
        nodes.former.reply(nodes.former.tenure());
        replyLate(4);
        nodes.timer.advance(PAUSE.multipliedBy(2));
        nodes.former.reply(nodes.former.tenure());

        List<String> words = nodes.former.received();
        nodes.former.replyEach(
                Long.parseLong(words.get(FIRST_TENURE_OF_THREE)), 0,
                Long.parseLong(words.get(FIRST_TENURE_OF_THREE + 3)), 0,
                Long.parseLong(words.get(FIRST_TENURE_OF_THREE + 6)), 0);

        assertThat(TwoNodes.get(call).orElseThrow()).hasSize(6);
    }

    /** If one that is tried then is busy, the call is refused, and releases what it has. */
    @Test
    void anotherIsBusy_isRefused() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = tried(PLAIN, PLAIN);
        replyLate();
        nodes.timer.advance(PAUSE);
        long first = nodes.former.tenure();
        nodes.former.reply(first);

        nodes.former.reply(-TwoNodes.LEASE.toMillis());

        assertThat(TwoNodes.get(call)).isEmpty();
        TwoNodes.assertReleases(nodes.former, first);
    }

    /** It fails within a command timeout of its beginning, and a moment. */
    @Test
    void noAnswer_failsInTime() {
        CompletableFuture<Optional<List<PartAcquisition>>> call = tried(PLAIN, PLAIN);
        replyLate();
        nodes.former.confirmBy(true);
        nodes.timer.advance(Duration.ofSeconds(2));
        long first = nodes.former.tenure();
        nodes.former.reply(first);
        assertThat(nodes.former.unanswered()).isEqualTo(1);

        nodes.timer.advance(Duration.ofMillis(1_200));

        assertThatThrownBy(() -> TwoNodes.get(call)).hasCauseInstanceOf(LockException.class);
    }
}
