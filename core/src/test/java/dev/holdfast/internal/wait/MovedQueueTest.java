package dev.holdfast.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Patience;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.NoHome;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.pubsub.PubSubSettings;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock of a queue moves to another node, and the former one is closed. */
@Tag("pure")
final class MovedQueueTest {
    private static final int MOVES = 5;

    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");
    private final ManualTimer timer = new ManualTimer();
    private final Subscriptions atFormer = Subscriptions.unconnected(timer, PubSubSettings.defaults());
    private final Subscriptions atLatter = Subscriptions.unconnected(timer, PubSubSettings.defaults());

    /** How many more subscriptions the former node accepts before the lock moves. */
    private int accepted;

    private @Nullable Home home;

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost"),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            session -> {
                home = new Former(session);
                return key -> Objects.requireNonNull(home);
            });

    private final WaitQueues queues = parts.acquisitions().queues();

    /**
     * The former node is closed between the look at where the lock is and the subscription there: the waiter stays in the
     * queue, which listens at the other node then.
     *
     * @param before how many channels it has subscribed to by then
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void subscribing_toAClosedNode(int before) {
        accepted = before;
        FutureAcquisition<Boolean> waiter = new FutureAcquisition<>(
                parts.acquisitions(),
                new AcquireRequest(lock, 7, Ownership.OWNER_ID, parts.holds().watchedLease(), AcquireRequest.FOR_EVER),
                hold -> true,
                () -> false);
        CompletableFuture<Boolean> waiting = waiter.begin();
        queues.join(waiter.lane().local(), waiter, 10_000);
        assertThat(waiting).isNotDone();

        queues.moved(moved -> true);

        assertThat(waiting).isNotDone();
        assertThat(atLatter.channels()).isPositive();
    }

    /** A client keeps nothing of a node that its locks have left. */
    @Test
    void node_isForgotten() {
        Session session = parts.holds().session();
        WeakReference<Home> first = new WeakReference<>(Objects.requireNonNull(home));
        for (int i = 0; i < MOVES; i++) {
            WaitQueue queue = new WaitQueue(queues, new LocalLock(parts.holds(), lock));
            assertThat(queue.cohort().isHeldByAnother(7)).isFalse();
            home = new NoHome(session);
        }
        Patience.await().until(() -> {
            System.gc();
            return first.refersTo(null);
        });
    }

    /** A node whose channels are closed when they are needed. */
    private final class Former extends NoHome {
        private final Session session;

        Former(Session session) {
            super(session);
            this.session = session;
        }

        @Override
        public Subscriptions channels() {
            if (accepted-- == 0) {
                home = new Latter(session);
                atFormer.closeAsync();
            }
            return atFormer;
        }
    }

    private final class Latter extends NoHome {
        Latter(Session session) {
            super(session);
        }

        @Override
        public Subscriptions channels() {
            return atLatter;
        }
    }
}
