package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import dev.holdfast.Patience;
import dev.holdfast.internal.node.EmbeddedHome;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node confirms that may have been replaced as the master, by what other nodes say about it. */
@Tag("pure")
final class DoubtfulAnswerTest {
    private static final Duration WATCHDOG = Duration.ofMillis(4_500);
    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);
    private @Nullable EmbeddedHome home;

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(WATCHDOG),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            this::oneNode);

    DoubtfulAnswerTest() {
        node.start();
    }

    private Homes oneNode(Session session) {
        home = new EmbeddedHome(session, node, timer);
        return lock -> home();
    }

    private EmbeddedHome home() {
        return Objects.requireNonNull(home);
    }

    private static Hold get(CompletableFuture<Hold> acquired) {
        Patience.await().until(acquired::isDone);
        return acquired.join();
    }

    private Hold held() {
        node.confirmed();
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        return get(acquired);
    }

    /** A grant of a node that others confirm is one: nothing is asked for again. */
    @Test
    void grant_confirmed() {
        node.confirmBy(true);
        CompletableFuture<Hold> acquired = parts.acquire(7);
        long granted = node.tenure();
        node.reply(granted);

        assertThat(get(acquired).tenure()).isEqualTo(granted);
        assertThat(node.unanswered()).isZero();
        assertThat(node.questions()).isEqualTo(1);
    }

    /** A grant that nobody confirms is asked for once more, however long the node is silent before it replies. */
    @Test
    void grant_unanswered_theNextOneCounts() {
        node.confirmBy(false);
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        long second = node.tenure();
        timer.advance(LONGER_THAN_A_SILENCE);
        node.reply(second);

        assertThat(get(acquired).tenure()).isEqualTo(second);
        assertThat(node.unanswered()).isZero();
        assertThat(node.questions()).isEqualTo(1);
    }

    /** So is one that is confirmed when half of its lease has passed: it would end before its owner has had much of it. */
    @Test
    void grant_confirmedLate_theNextOneCounts() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        node.confirmBy(() -> answer);
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        timer.advance(WATCHDOG.dividedBy(2));
        answer.complete(true);
        long sentAgain = timer.nanoTime();
        node.reply(node.tenure());

        assertThat(get(acquired).lease().startedNanos()).isEqualTo(sentAgain);
        assertThat(node.questions()).isEqualTo(1);
    }

    /** If the lock has moved by then, it is asked for there, as often as it takes. */
    @Test
    void grant_moved_isAskedForAgain() {
        node.confirmBy(() -> {
            home = new EmbeddedHome(parts.holds().session(), node, timer);
            return CompletableFuture.completedStage(false);
        });
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        node.reply(node.tenure());
        assertThat(acquired).isNotDone();

        node.confirmBy(true);
        node.reply(node.tenure());
        assertThat(get(acquired).isValid()).isTrue();
    }

    /** A question that fails is not answered. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void grant_questionFails(boolean atOnce) {
        node.confirmBy(() -> {
            IllegalStateException why = new IllegalStateException("on purpose");
            if (atOnce) {
                throw why;
            }
            return CompletableFuture.failedStage(why);
        });
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        node.reply(node.tenure());
        assertThat(get(acquired).isValid()).isTrue();
    }

    /** If the command cannot go on, its call fails, and the next one of its owner is not kept waiting. */
    @Test
    void grant_cannotGoOn() {
        node.confirmBy(false);
        CompletableFuture<Hold> acquired = parts.acquire(7);
        long first = node.tenure();
        home().throwNext();
        node.reply(first);

        Patience.await().until(acquired::isDone);
        assertThatThrownBy(acquired::join).cause().isInstanceOf(LockException.class);
        CompletableFuture<Hold> next = parts.acquire(7);
        Patience.await().until(() -> {
            if (node.unanswered() > 0) {
                node.confirmed();
                node.reply(node.tenure());
            }
            return next.isDone();
        });
        assertThat(next.join().isValid()).isTrue();
    }

    /** An extension that others confirm prolongs the lease. If nobody does, the next one does. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void extension(boolean confirmed) {
        Hold hold = held();
        timer.advance(LONGER_THAN_A_SILENCE);
        node.confirmBy(confirmed);
        CompletableFuture<?> extended = Extension.begin(hold, LeaseRequest.explicit(Duration.ofMinutes(1)));
        node.replyEach(hold.tenure());
        assertThat(extended.isDone()).isEqualTo(confirmed);
        if (!confirmed) {
            node.replyEach(hold.tenure());
        }
        assertThat(extended).isCompleted();
        assertThat(node.unanswered()).isZero();
    }

    /** So it is with a re-entry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reentry(boolean confirmed) {
        Hold hold = held();
        timer.advance(LONGER_THAN_A_SILENCE);
        node.confirmBy(confirmed);
        CompletableFuture<Hold> again = parts.acquire(7);
        node.reply(hold.tenure());
        assertThat(hold.levels()).isEqualTo(confirmed ? 2 : 1);
        if (!confirmed) {
            node.reply(hold.tenure());
        }
        assertThat(get(again)).isSameAs(hold);
        assertThat(hold.levels()).isEqualTo(2);
        assertThat(node.unanswered()).isZero();
    }

    /** The rest of a lease is what is left of it when the command is sent, not when it is submitted. */
    @Test
    void extension_waitsInItsLane() {
        Hold hold = held();
        Duration lease = Duration.ofMinutes(1);
        Duration waiting = Duration.ofMillis(700);
        CompletableFuture<?> before = Extension.begin(hold, LeaseRequest.explicit(WATCHDOG));
        CompletableFuture<?> rest = Extension.beginUntil(hold, timer.nanoTime() + lease.toNanos());
        timer.advance(waiting);
        node.replyEach(hold.tenure());
        assertThat(before).isCompleted();

        assertThat(node.received()).contains(String.valueOf(lease.minus(waiting).toMillis()));
        node.replyEach(hold.tenure());
        assertThat(rest).isCompleted();
    }

    /** A renewal counts while others are asked: a hold must not be lost because nobody says which node is the master. */
    @Test
    void renewal() {
        Hold hold = held();
        long before = hold.lease().validUntilNanos();
        timer.advance(WATCHDOG.dividedBy(3).plusMillis(100));
        node.replyEach(hold.tenure());

        assertThat(node.questions()).isEqualTo(1);
        assertThat(hold.lease().validUntilNanos()).isGreaterThan(before);
    }

    /** A node that is in no doubt is believed without a question. */
    @Test
    void extension_withoutDoubt() {
        Hold hold = held();
        CompletableFuture<?> extended = Extension.begin(hold, LeaseRequest.explicit(Duration.ofMinutes(1)));
        node.replyEach(hold.tenure());
        assertThat(extended).isCompleted();
        assertThat(node.questions()).isZero();
    }
}
