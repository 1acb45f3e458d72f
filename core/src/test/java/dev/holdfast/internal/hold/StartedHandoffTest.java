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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handoff whose receiver has started before the reply, which comes from a node that may have been replaced. */
@Tag("pure")
final class StartedHandoffTest {
    private static final Duration LEASE = Duration.ofMillis(4_500);

    /** The rest of a lease has to be longer for a receiver to start before the reply. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(1);

    /** For how long the former owner has the lock; so the lease of the receiver ends later. */
    private static final Duration HELD = Duration.ofMillis(100);

    private static final Duration LONGER_THAN_A_SILENCE = Duration.ofMillis(1_300);

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode node = new EmbeddedNode(timer);

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder()
                    .redisUri("redis://localhost")
                    .watchdogTimeout(LEASE)
                    .commandTimeout(COMMAND_TIMEOUT),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            this::oneNode);

    private CompletableFuture<?> handedOff = new CompletableFuture<>();

    private Homes oneNode(Session session) {
        EmbeddedHome home = new EmbeddedHome(session, node, timer);
        return lock -> home;
    }

    private static Hold get(CompletableFuture<Hold> acquired) {
        Patience.await().until(acquired::isDone);
        return acquired.join();
    }

    /** {@return the hold of a receiver that has started; the node has not replied to the handoff yet} */
    private Hold started() {
        node.start();
        node.confirmed();
        CompletableFuture<Hold> acquired = parts.acquire(7);
        node.reply(node.tenure());
        Hold first = get(acquired);
        CompletableFuture<Hold> second = parts.acquire(8);
        node.reply(-LEASE.toMillis());
        CompletableFuture<?> released = Release.begin(first);
        node.reply(node.tenure());
        assertThat(released).isCompleted();
        get(second);
        timer.advance(HELD);

        CompletableFuture<Hold> third = parts.acquire(9);
        handedOff = Release.begin(second.join());
        Hold started = get(third);
        assertThat(node.unanswered()).isEqualTo(1);
        timer.advance(LONGER_THAN_A_SILENCE);
        return started;
    }

    /**
     * The reply ends the handoff, and prolongs nothing: the hold is extended by a command of its own, once others have confirmed
     * the node, or by the second reply if nobody does.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void held_isExtendedByItself(boolean confirmed) {
        Hold started = started();
        long before = started.lease().validUntilNanos();
        node.confirmBy(confirmed);
        node.reply(started.tenure());
        assertThat(handedOff).isCompleted();
        assertThat(started.lease().validUntilNanos()).isEqualTo(before);

        long tenure = started.tenure();
        node.replyEach(tenure);
        assertThat(started.lease().validUntilNanos() > before).isEqualTo(confirmed);
        if (!confirmed) {
            node.replyEach(tenure);
        }
        assertThat(started.lease().validUntilNanos()).isGreaterThan(before);
        assertThat(node.unanswered()).isZero();
    }
}
