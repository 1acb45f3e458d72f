package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a listener hears, in which order; and what the numbers say. */
final class LockListenerTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final RecordingListener heard = new RecordingListener();
    private final Holdfast client =
            redis.client(builder -> SharedRedis.brisk(builder).addListener(heard));
    private final DistributedLock lock = client.getLock(redis.name());

    /** A hold is acquired and released, once each, however often it is entered. */
    @Test
    void hold_withReentry() {
        OwnedLock owned = lock.ownedBy(client.newOwnerId());
        Patience.get(owned.lockAsync());
        Patience.get(owned.lockAsync());
        Patience.get(owned.unlockAsync());
        Patience.get(owned.unlockAsync());
        heard.awaitLast("released");
        assertThat(heard.events()).containsExactly("acquired", "released");
        assertThat(heard.owners()).containsOnly(client.clientId() + ":" + owned.ownerId());
    }

    /** Who waits is heard of when the wait ends, before what it got by it; in vain or not. */
    @Test
    void wait_endsEitherWay() throws InterruptedException {
        Lease holder = redis.lock().acquire();
        assertThat(lock.tryAcquire(Duration.ofMillis(50))).isEmpty();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        holder.close();
        Patience.get(waiting).close();
        heard.awaitLast("released");
        assertThat(heard.events()).containsExactly("waited: TIMED_OUT", "waited: GRANTED", "acquired", "released");
    }

    /** A lease that is renewed and then lost is heard of in that order, and not as released. */
    @Test
    void loss_afterRenewal() {
        Lease lease = lock.acquire();
        Patience.await().until(() -> heard.events().contains("renewed"));
        assertThat(lock.forceUnlock()).isTrue();
        heard.awaitLast("lost: GONE");
        assertThatThrownBy(lease::close).isInstanceOf(LeaseLostException.class);
        List<String> events = new ArrayList<>(heard.events());
        events.removeAll(List.of("renewed"));
        assertThat(events).containsExactly("acquired", "lost: GONE");
    }

    /** What a listener throws does not keep it from hearing what comes next, nor the lock from working. */
    @Test
    void listener_throws() {
        List<String> locks = new ArrayList<>();
        LockListener throwing = new LockListener() {
            @Override
            public void acquired(LockEvent.Acquired event) {
                locks.add(event.lockName());
                throw new IllegalStateException("thrown on purpose");
            }
        };
        Holdfast told = redis.client(builder -> builder.addListener(throwing).callbackExecutor(Runnable::run));
        told.getLock(redis.name()).acquire().close();
        told.getLock(redis.name()).acquire().close();
        assertThat(locks).containsExactly(redis.name(), redis.name());
    }

    /** The numbers follow what happens. */
    @Test
    void stats_follow() {
        assertThat(client.stats()).isEqualTo(new Counters().stats(0, 0));
        Lease lease = lock.acquire();
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        assertThat(client.stats().holds()).isEqualTo(1);
        Patience.await().until(() -> client.stats().renewals() >= 1);
        lease.close();
        Lease next = Patience.get(waiting);
        assertThat(client.stats().acquired()).isEqualTo(2);
        assertThat(lock.forceUnlock()).isTrue();
        assertThatThrownBy(next::close).isInstanceOf(LeaseLostException.class);
        assertThat(client.stats().lost()).isEqualTo(1);
        assertThat(client.stats().holds()).isZero();
        assertThat(client.stats().waiters()).isZero();
    }
}
