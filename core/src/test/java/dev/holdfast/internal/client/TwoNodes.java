package dev.holdfast.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Patience;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.EmbeddedHome;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.EmbeddedNode;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client of two nodes without servers, of which one is the home of all locks: the former one at first. */
public final class TwoNodes implements AutoCloseable {
    public static final Duration LEASE = Duration.ofSeconds(30);

    /** The reply about a hold that a node does not have. */
    public static final long NOT_HELD = 0;

    public final ManualTimer timer = new ManualTimer();
    public final EmbeddedNode former = new EmbeddedNode(timer);
    public final EmbeddedNode next = new EmbeddedNode(timer);
    public final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(LEASE),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            TwoHomes::new);

    private final class TwoHomes implements Homes {
        private final EmbeddedHome first;
        private final EmbeddedHome second;
        private EmbeddedNode present = former;

        TwoHomes(Session session) {
            first = new EmbeddedHome(session, former, timer);
            second = new EmbeddedHome(session, next, timer);
        }

        @Override
        public Home of(SynchronizerKey lock) {
            return present == former ? first : second;
        }
    }

    public TwoNodes() {
        for (EmbeddedNode node : List.of(former, next)) {
            node.start();
            node.confirmed();
        }
    }

    /** The node has become the home of all locks, as far as the client knows, and what follows from that is done. */
    public void turnTo(EmbeddedNode node) {
        moveTo(node);
        parts.holds().moved(lock -> true);
    }

    /** The node has become the home of all locks, and what follows from that is still to be done. */
    public void moveTo(EmbeddedNode node) {
        ((TwoHomes) parts.homes()).present = node;
    }

    /** Neither node has been replaced lately, as far as its replies show: owners can start on messages, and before replies. */
    public void becomeSteady() {
        TwoHomes both = (TwoHomes) parts.homes();
        both.first.becomeSteady();
        both.second.becomeSteady();
    }

    /** {@return a hold that the node grants} */
    public Hold acquired(long ownerId, EmbeddedNode node) {
        CompletableFuture<Hold> acquired = parts.acquire(ownerId);
        node.reply(node.tenure());
        return get(acquired);
    }

    public static <T> T get(CompletableFuture<T> acquired) {
        Patience.await().until(acquired::isDone);
        return acquired.join();
    }

    /** The oldest command without a reply is a release of this tenure, and there is no other command. */
    public static void assertReleases(EmbeddedNode node, long tenure) {
        assertThat(node.unanswered()).isEqualTo(1);
        assertThat(node.received()).contains("PUBLISH");
        assertThat(node.tenure()).isEqualTo(tenure);
    }

    @Override
    public void close() {
        parts.close();
    }
}
