package dev.holdfast.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.FutureAcquisition;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.Publishing;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.view.Unconnected;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.testkit.ManualTimer;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The locks of a client may be on several Redis nodes: each command goes to the node of its lock. */
@Tag("pure")
final class HomesTest {
    private static final Duration WATCHDOG = Duration.ofSeconds(30);

    private final Kind plain = new PlainKind();
    private final LockKey left = new LockKey(plain, "left", "");
    private final LockKey right = new LockKey(plain, "right", "");
    private final List<String> sent = new ArrayList<>();

    /** Whether the two locks have exchanged their nodes. */
    private boolean moved;

    private final ManualTimer timer = new ManualTimer();

    @AutoClose
    private final Unconnected parts = new Unconnected(
            Holdfast.builder().redisUri("redis://localhost").watchdogTimeout(WATCHDOG),
            new Deadlines(timer, timer::nanoTime, Deadlines.DEFAULT_TICK),
            this::twoNodes);

    private Homes twoNodes(Session session) {
        Home first = new Node("first", session);
        Home second = new Node("second", session);
        return lock -> lock.name().equals("left") == !moved ? first : second;
    }

    /** A lock that has moved is acquired at its new node. */
    @Test
    void acquire_afterMove_goesToTheNewNode() {
        acquire(left);
        moved = true;
        acquire(left);
        assertThat(sent).containsExactly("first", "second");
    }

    /** The holds of locks that have moved are verified at the new node, and no others. */
    @Test
    void moved_verifiesTheHolds() {
        keep(left, 17);
        keep(right, 18);
        moved = true;
        parts.holds().moved(lock -> lock.equals(left));
        assertThat(sent).containsExactly("second");
    }

    /** A connection to one node verifies the holds that are there. */
    @Test
    void verify_isOfOneNode() {
        keep(left, 17);
        keep(right, 18);
        parts.holds().verify(parts.homes().of(right));
        assertThat(sent).containsExactly("second");
    }

    /** An acquire goes to the node of its lock. */
    @Test
    void acquire_goesToTheLocksNode() {
        acquire(left);
        acquire(right);
        acquire(left);
        assertThat(sent).containsExactly("first", "second", "first");
    }

    private void acquire(LockKey lock) {
        AcquireRequest wanted = new AcquireRequest(
                lock, sent.size() + 1, Ownership.OWNER_ID, LeaseRequest.watched(WATCHDOG), AcquireRequest.FOR_EVER);
        CompletableFuture<Boolean> waits =
                new FutureAcquisition<>(parts.acquisitions(), wanted, hold -> true, () -> false).begin();
        assertThat(waits).isNotDone();
    }

    /** Leases that are due together are renewed by one command to each node. */
    @Test
    void renewal_isOneCommandForEachNode() {
        keep(left, 17);
        keep(right, 17);
        keep(left, 18);
        timer.advance(WATCHDOG.dividedBy(3).plusSeconds(1));
        assertThat(sent).containsExactlyInAnyOrder("first", "second");
    }

    private void keep(LockKey lock, long ownerId) {
        Hold hold = parts.hold(lock, ownerId);
        parts.holds().keep(hold, timer.nanoTime(), LeaseRequest.watched(WATCHDOG));
    }

    /** A node that never replies, and records that something was sent to it. */
    private final class Node implements Home {
        private final String name;
        private final ConnectionWait connectionWait;
        private final RedisErrors errors;

        Node(String name, Session session) {
            this.name = name;
            this.connectionWait = new ConnectionWait(session.deadlines(), lock -> true);
            this.errors = new RedisErrors(session, this);
        }

        @Override
        public void send(SynchronizerKey lock, Call call) {
            sent.add(name);
        }

        @Override
        public void send(Call call) {
            throw new AssertionError("every call is about a lock");
        }

        @Override
        public void noteOutcome(Call call) {
            throw new AssertionError("no call has an outcome");
        }

        @Override
        public @Nullable Outage outage() {
            return null;
        }

        @Override
        public long epochNumber() {
            return 1;
        }

        @Override
        public boolean isSteady() {
            return true;
        }

        @Override
        public void restart(long epochNumber, Throwable why) {
            throw new AssertionError("nothing went wrong", why);
        }

        @Override
        public Subscriptions channels() {
            throw new AssertionError("no caller waits");
        }

        @Override
        public @Nullable Throwable whyDown() {
            return null;
        }

        @Override
        public Publishing publishing() {
            return Publishing.SINGLE;
        }

        @Override
        public ConnectionWait connectionWait() {
            return connectionWait;
        }

        @Override
        public RedisErrors errors() {
            return errors;
        }

        @Override
        public HandoffReplies handoffReplies() {
            throw new AssertionError("nothing is handed off");
        }
    }
}
