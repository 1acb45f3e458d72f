package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Patience;
import dev.holdfast.internal.node.EmbeddedHome;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A handoff that a node confirms which may have been replaced as the master. */
@Tag("pure")
final class DoubtfulHandoffTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(LEASE),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            this::oneNode);

    private Homes oneNode(Session session) {
        EmbeddedHome home = new EmbeddedHome(session, node, timer);
        return lock -> home;
    }

    private static Hold get(CompletableFuture<Hold> acquired) {
        Patience.await().until(acquired::isDone);
        return acquired.join();
    }

    private CompletableFuture<Hold> waiting = new CompletableFuture<>();
    private CompletableFuture<?> released = new CompletableFuture<>();

    /** One owner has the lock, and hands it off to another one, about which the node has not replied yet. */
    @BeforeEach
    void handOff() {
        node.start();
        node.confirmed();
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        Hold from = get(acquired);
        waiting = parts.acquire(8);
        node.reply(-LEASE.toMillis());
        released = Release.begin(from);
        assertThat(node.unanswered()).isEqualTo(1);
        timer.advance(LONGER_THAN_A_SILENCE);
    }

    /** One that others confirm has taken place. */
    @Test
    void held_confirmed() {
        node.confirmBy(true);
        long receiver = node.tenure();
        node.reply(receiver);
        assertThat(released).isCompleted();
        assertThat(get(waiting).tenure()).isEqualTo(receiver);
        assertThat(node.unanswered()).isZero();
    }

    /** If nobody does, it is sent again, and lasts from then on. */
    @Test
    void held_unanswered_isSentAgain() {
        node.confirmBy(false);
        long receiver = node.tenure();
        node.reply(receiver);
        assertThat(released).isNotDone();
        assertThat(node.tenure()).isEqualTo(receiver);
        long sentAgain = timer.nanoTime();

        node.reply(receiver);
        assertThat(released).isCompleted();
        Hold hold = get(waiting);
        assertThat(hold.lease().startedNanos()).isEqualTo(sentAgain);
        assertThat(hold.requestedUntilNanos()).isEqualTo(sentAgain + LEASE.toNanos());
    }

    /**
     * The reply that counts does not find the lock with either of them. It may have been handed off before, so its former
     * owner has not lost it: the release is sent again, and succeeds whatever that finds.
     */
    @Test
    void gone_afterDoubt_isUncertain() {
        node.confirmBy(false);
        node.reply(node.tenure());
        node.reply(0);
        assertThat(released).isNotDone();

        Patience.await().until(() -> {
            if (node.unanswered() > 0) {
                node.reply(0);
            }
            return released.isDone();
        });
        assertThat(released).isCompleted();
    }

    /** Without a doubt before, the lock was lost. */
    @Test
    void gone_isALoss() {
        node.reply(0);
        assertThat(released).isCompletedExceptionally();
    }
}
