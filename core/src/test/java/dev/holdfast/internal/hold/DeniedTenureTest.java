package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.internal.client.EmbeddedHome;
import dev.holdfast.internal.client.Unconnected;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Homes;
import dev.holdfast.internal.session.Session;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hold that one node denies and another one has, while the client turns from one to the other and back. */
@Tag("pure")
final class DeniedTenureTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long NOT_HELD = 0;

    private final ManualTimer timer = new ManualTimer();
    private final EmbeddedNode former = new EmbeddedNode(timer);
    private final EmbeddedNode next = new EmbeddedNode(timer);

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(LEASE),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            TwoHomes::new);

    /** At first, the former node is the home of all locks. */
    private final class TwoHomes implements Homes {
        private final Home first;
        private final Home second;
        private EmbeddedNode present = former;

        TwoHomes(Session session) {
            first = new EmbeddedHome(session, former, timer);
            second = new EmbeddedHome(session, next, timer);
        }

        @Override
        public Home of(LockKey lock) {
            return present == former ? first : second;
        }
    }

    @BeforeEach
    void start() {
        for (EmbeddedNode node : List.of(former, next)) {
            node.start();
            node.confirmed();
        }
    }

    /** The node has become the home of all locks, as far as the client knows. */
    private void turnTo(EmbeddedNode node) {
        ((TwoHomes) parts.homes()).present = node;
        parts.holds().moved(lock -> true);
    }

    /** {@return a hold that the node grants} */
    private Hold acquired(long ownerId, EmbeddedNode node) {
        CompletableFuture<Hold> acquired = parts.acquire(ownerId);
        node.reply(node.tenure());
        Awaitility.await().until(acquired::isDone);
        return acquired.join();
    }

    /** The oldest command without a reply is a release of this tenure, and there is no other command. */
    private static void assertReleased(EmbeddedNode node, long tenure) {
        assertThat(node.unanswered()).isEqualTo(1);
        assertThat(node.received()).contains("PUBLISH");
        assertThat(node.tenure()).isEqualTo(tenure);
    }

    /**
     * The client turns to the next node and back at once. The former node confirms the hold, and then the next one denies it:
     * it is lost, and so is released where it is, although no node but that was the last to confirm it.
     */
    @Test
    void deniedByTheNext_afterTheFormerHasConfirmed_isReleasedThere() {
        Hold hold = acquired(7, former);
        turnTo(next);
        turnTo(former);
        former.replyEach(hold.tenure());
        assertThat(hold.loss()).isNull();

        next.replyEach(NOT_HELD);
        assertThat(hold.loss()).isNotNull();
        assertReleased(former, hold.tenure());
    }

    /**
     * The owner acquires the lock at the node that has denied its hold, and then the former node is the home again, which has
     * the denied one. That is released, and the present hold does not take its place: another client may have had the lock
     * since, at the node that denied it.
     */
    @Test
    void denied_thenAcquiredAgain_isNotReplaced() {
        Hold denied = acquired(7, former);
        turnTo(next);
        next.replyEach(NOT_HELD);
        assertReleased(next, denied.tenure());
        next.reply(NOT_HELD);
        denied.lane().takeBack(denied);
        Hold present = acquired(8, next);

        turnTo(former);
        assertThat(former.unanswered()).isEqualTo(2);
        assertThat(former.received()).doesNotContain("EVAL");
        assertThat(former.tenure()).isEqualTo(present.tenure());
        former.replyEach(present.tenure());
        assertReleased(former, denied.tenure());
    }

    /** However many tenures were denied, none of the releases is forgotten for them. */
    @Test
    void denied_many_displaceNoRelease() {
        Settling settling = parts.holds().settling();
        LockKey lock = parts.hold(7).lock();
        long leaseEnd = timer.nanoTime() + LEASE.toNanos();
        settling.released(lock, 7, 1, leaseEnd);
        for (int owner = 8; owner < 8 + 2 * RecentReleases.MOST_KEPT; owner++) {
            settling.denied(lock, owner, owner, leaseEnd);
        }
        assertThat(settling.released(lock::equals))
                .singleElement()
                .extracting(RecentReleases.Released::ownerId)
                .isEqualTo(7L);
        assertThat(settling.givenUp(lock::equals)).hasSize(1 + RecentReleases.MOST_KEPT);
    }
}
