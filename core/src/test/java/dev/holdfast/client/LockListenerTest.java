package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockEvent;
import dev.holdfast.LockException;
import dev.holdfast.LockListener;
import dev.holdfast.LockType;
import dev.holdfast.LossReason;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.RecordingListener;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.internal.report.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The events that a listener receives, their order, and the statistics. */
@Tag("client")
final class LockListenerTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final RecordingListener listener = new RecordingListener();
    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(builder -> clock.turns(builder).addListener(listener));
    private final DistributedLock lock = client.getLock(redis.name());

    /** A hold is published as acquired and as released, once each, however often it is re-entered. */
    @Test
    void hold_withReentry() {
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        Patience.get(owned.lockAsync());
        Patience.get(owned.lockAsync());
        Patience.get(owned.unlockAsync());
        Patience.get(owned.unlockAsync());
        listener.awaitLast("released");
        assertThat(listener.events()).containsExactly("acquired", "released");
        assertThat(listener.owners()).containsOnly(client.clientId() + ":" + owned.ownerId());
    }

    /** The end of a wait is published whether or not it got the lock, and before the events of the hold it led to. */
    @RealTime
    void wait_endsEitherWay() throws InterruptedException {
        Lease holder = redis.lock().acquire();
        assertThat(lock.tryAcquire(Duration.ofMillis(50))).isEmpty();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        holder.close();
        Patience.get(waiting).close();
        listener.awaitLast("released");
        assertThat(listener.events()).containsExactly("waited: TIMED_OUT", "waited: GRANTED", "acquired", "released");
    }

    /** A lease that is renewed and then lost is published in that order, and not as released. */
    @Test
    void loss_afterRenewal() {
        Lease lease = lock.acquire();
        clock.renew(client, 1);
        listener.awaitLast("renewed");
        assertThat(lock.forceUnlock()).isTrue();
        clock.advance(TurnedClock.RENEWAL);
        listener.awaitLast("lost: GONE");
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        List<String> events = new ArrayList<>(listener.events());
        events.removeAll(List.of("renewed"));
        assertThat(events).containsExactly("acquired", "lost: GONE");
    }

    /**
     * An attempt without a wait is published as busy, and one that its caller gives up as a wait that was abandoned.
     */
    @Test
    void call_withoutTheLock() {
        try (Lease holder = redis.lock().acquire()) {
            assertThat(lock.tryLock()).isFalse();
            listener.awaitLast("busy");
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            Patience.await().until(() -> client.stats().waiters() == 1);
            assertThat(waiting.cancel(true)).isTrue();
            listener.awaitLast("waited: ABANDONED");
            assertThat(holder.isValid()).isTrue();
        }
        assertThat(listener.events()).containsExactly("busy", "waited: ABANDONED");
        assertThat(client.stats().refused()).isEqualTo(1);
        assertThat(client.stats().givenUp()).isEqualTo(1);
    }

    /** A call that fails is published with its exception, whether or not it had to wait. */
    @Test
    void call_fails() {
        redis.server().command("SET", lock.name(), "not a lock");
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockException.class);
        listener.awaitLast("failed: LockException");
        redis.server().command("DEL", lock.name());
        Holdfast closing = redis.connect(builder -> builder.addListener(listener));
        try (Lease holder = redis.lock().acquire()) {
            CompletableFuture<Lease> waiting = closing.getLock(redis.name()).acquireAsync();
            Patience.await().until(() -> closing.stats().waiters() == 1);
            closing.close();
            assertThatThrownBy(() -> Patience.get(waiting)).isInstanceOf(LockException.class);
            assertThat(holder.isValid()).isTrue();
        }
        Patience.await().until(() -> listener.events().size() == 3);
        assertThat(listener.events())
                .containsExactly("failed: LockException", "waited: FAILED", "failed: LockException");
        assertThat(client.stats().failed()).isEqualTo(1);
        assertThat(closing.stats().failed()).isEqualTo(1);
    }

    /** An event has the lock, its type, the owner, the client, and the duration. */
    @Test
    void event_hasItsProperties() {
        List<LockEvent> events = new CopyOnWriteArrayList<>();
        Holdfast observed = redis.client(builder -> builder.keyPrefix("p:").addListener(new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                events.add(event);
            }

            @Override
            public void released(LockEvent.Released event) {
                events.add(event);
            }
        }));
        FencedLock fenced = observed.getFencedLock(redis.name());
        fenced.lock();
        try {
            assertThat(fenced.isHeldByCurrentThread()).isTrue();
        } finally {
            fenced.unlock();
        }
        Patience.await().until(() -> events.size() == 2);
        assertThat(events).allSatisfy(event -> {
            assertThat(event.name()).isEqualTo(redis.name());
            assertThat(event.lockType()).isEqualTo(LockType.FENCED);
            assertThat(event.clientId()).isEqualTo(observed.clientId());
            assertThat(event.owner())
                    .isEqualTo(
                            observed.clientId() + ":" + Thread.currentThread().getId());
        });
        assertThat(events.get(0)).isInstanceOfSatisfying(LockEvent.Acquired.class, event -> assertThat(event.waited())
                .isPositive());
        assertThat(events.get(1)).isInstanceOfSatisfying(LockEvent.Released.class, event -> assertThat(event.held())
                .isPositive());
    }

    /** A listener that blocks delays neither the locks nor another listener. */
    @Test
    void listener_blocks() {
        CompletableFuture<String> unblock = new CompletableFuture<>();
        LockListener blocking = new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                unblock.join();
            }
        };
        Holdfast observed =
                redis.client(builder -> builder.addListener(blocking).addListener(listener));
        try {
            observed.getLock(redis.name()).acquire().close();
            listener.awaitLast("released");
            observed.getLock(redis.name()).acquire().close();
            Patience.await().until(() -> listener.events().size() == 4);
        } finally {
            unblock.complete("done");
        }
        assertThat(listener.events()).containsExactly("acquired", "released", "acquired", "released");
    }

    /** An exception of a listener neither keeps it from receiving later events nor affects the lock. */
    @Test
    void listener_throws() {
        List<String> locks = new ArrayList<>();
        LockListener throwing = new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                locks.add(event.name());
                throw new IllegalStateException("thrown on purpose");
            }
        };
        Holdfast observed =
                redis.client(builder -> builder.addListener(throwing).callbackExecutor(Runnable::run));
        observed.getLock(redis.name()).acquire().close();
        observed.getLock(redis.name()).acquire().close();
        assertThat(locks).containsExactly(redis.name(), redis.name());
    }

    /** The statistics follow the events. */
    @Test
    void stats_follow() {
        assertThat(client.stats()).isEqualTo(new Counters().stats(0, 0));
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        assertThat(client.stats().holds()).isEqualTo(1);
        clock.renew(client, 1);
        lease.close();
        Lease next = Patience.get(waiting);
        assertThat(client.stats().acquired()).isEqualTo(2);
        assertThat(client.stats().released()).isEqualTo(1);
        assertThat(lock.forceUnlock()).isTrue();
        assertThatThrownBy(next::close).isInstanceOf(LeaseLostException.class);
        assertThat(client.stats().lost()).isEqualTo(1);
        assertThat(client.stats().lost(LossReason.GONE)).isEqualTo(1);
        assertThat(client.stats().lostByReason()).containsOnlyKeys(LossReason.values());
        assertThat(client.stats().holds()).isZero();
        assertThat(client.stats().waiters()).isZero();
    }

    /** A handoff is counted; a release that ends the cohort's budget is not a handoff. */
    @Test
    void stats_handoffs() {
        int rounds = 0;
        while (client.stats().handoffs() == 0) {
            Lease lease = lock.acquire();
            CompletableFuture<Lease> waiting = lock.acquireAsync();
            Patience.await().until(() -> client.stats().waiters() == 1);
            lease.close();
            Patience.get(waiting).close();
            rounds++;
            assertThat(rounds).isLessThan(100);
        }
        assertThat(client.stats().handoffs()).isEqualTo(1);
        assertThat(client.stats().acquired()).isEqualTo(2L * rounds);
    }
}
