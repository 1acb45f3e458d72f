package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.EmbeddedHome;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Confirmation;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import dev.holdfast.watchdog.RenewalOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds of several slots that are renewed together, by a node that may have been replaced as the master. */
@Tag("pure")
final class DoubtfulRenewalsTest {
    private static final Duration URGENT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost"),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            this::oneNodeOfACluster);

    private final HoldRenewals renewals = new HoldRenewals(parts.holds().session(), parts.homes());

    private final Hold urgent;
    private final Hold patient;

    DoubtfulRenewalsTest() {
        node.start();
        node.confirmed();
        timer.advance(LONGER_THAN_A_SILENCE);
        urgent = kept("urgent", URGENT);
        patient = kept("patient", LONG);
    }

    private Homes oneNodeOfACluster(Session session) {
        EmbeddedHome home = new EmbeddedHome(session, node, timer);
        return new Homes() {
            @Override
            public Home of(LockKey lock) {
                return home;
            }

            @Override
            public int group(LockKey lock) {
                return lock.slot();
            }
        };
    }

    private Hold kept(String name, Duration lease) {
        Hold hold = parts.hold(new LockKey(new PlainKind(), name, ""), 7);
        parts.holds().keep(hold, timer.nanoTime(), LeaseRequest.explicit(lease));
        return hold;
    }

    private CompletionStage<List<RenewalOutcome>> verified() {
        CompletionStage<List<RenewalOutcome>> answer = renewals.verify(List.of(urgent, patient));
        assertThat(node.unanswered()).isEqualTo(2);
        node.replyEach(urgent.tenure());
        node.replyEach(patient.tenure());
        return answer;
    }

    /**
     * While nobody answers, a hold does not wait for longer than it is valid, although others of its batch could: it counts
     * as renewed only when the whole batch has ended.
     */
    @Test
    void unanswered_endsInTimeForAll() {
        assertThat(verified())
                .succeedsWithin(URGENT)
                .isEqualTo(List.of(RenewalOutcome.RENEWED, RenewalOutcome.UNKNOWN));
    }

    /** The same if one question is answered, and that about the other hold is not. */
    @Test
    void oneIsAnswered_endsInTimeForAll() {
        List<CompletableFuture<Confirmation>> questions =
                List.of(CompletableFuture.completedFuture(Confirmation.CONFIRMED), new CompletableFuture<>());
        node.confirmBy(() -> questions.get(node.questions().size() - 1));
        assertThat(verified())
                .succeedsWithin(URGENT)
                .isEqualTo(List.of(RenewalOutcome.RENEWED, RenewalOutcome.UNKNOWN));
    }

    /** An answer about both counts for both. */
    @Test
    void confirmed() {
        node.confirmBy(Confirmation.CONFIRMED);
        assertThat(verified()).isCompletedWithValue(List.of(RenewalOutcome.RENEWED, RenewalOutcome.RENEWED));
    }
}
