package dev.holdfast.fault.renewal;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.MultiLease;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The action of a lease handle is notified that its lease is at risk while it is still held. */
@Tag("fault")
@Tag("slow")
final class AtRiskTest {
    private static final String NAME = "orders:42";

    /** Renewed after a second, at risk another one later. */
    private static final Duration WATCHDOG = Duration.ofSeconds(3);

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final List<Duration> notified = new CopyOnWriteArrayList<>();
    private final Holdfast client = faulty.client(WATCHDOG);
    private final DistributedLock lock = client.getLock(NAME);

    /**
     * The action runs with the time left, once until a renewal is answered again, and then anew; an exception it throws
     * has no effect.
     */
    @RealTime
    void onAtRisk_eachTime() {
        try (Lease lease = lock.acquire()) {
            lease.onAtRisk(left -> {
                throw new IllegalStateException("thrown on purpose");
            });
            lease.onAtRisk(notified::add);

            riskOnce(1);
            assertThat(notified).hasSize(1);
            riskOnce(2);

            assertThat(notified).hasSize(2).allMatch(left -> left.compareTo(WATCHDOG.dividedBy(2)) < 0);
            assertThat(faulty.events().risks()).as("events of the listener").isEqualTo(2);
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** The lease of several locks, all of which are at risk at once, is notified once for each outage. */
    @RealTime
    void onAtRisk_ofSeveralLocks_once() {
        int locks = 3;
        DistributedLock[] several =
                Stream.of("a", "b", "c").map(client::getLock).toArray(DistributedLock[]::new);
        try (MultiLease lease = Holdfast.multiLock(several).acquire()) {
            lease.onAtRisk(notified::add);

            riskOnce(locks, () -> faulty.events().risks() == locks);
            assertThat(notified).hasSize(1);
            riskOnce(locks, () -> faulty.events().risks() == 2 * locks);

            assertThat(notified).hasSize(2);
            assertThat(lease.isValid()).isTrue();
        }
    }

    private void riskOnce(int times) {
        riskOnce(1, () -> notified.size() == times);
    }

    private void riskOnce(int locks, Callable<Boolean> atRisk) {
        faulty.server().pause();
        eventually(atRisk);
        int before = faulty.events().renewals();
        faulty.server().resume();
        eventually(() -> faulty.events().renewals() >= before + locks);
    }

    /** A released lease is no longer notified, and a lease that is not renewed is never at risk. */
    @RealTime
    void onAtRisk_neitherClosedNorExplicit() {
        Lease closed = lock.acquire();
        closed.onAtRisk(notified::add);
        closed.close();
        Lease explicit = lock.acquire(WATCHDOG);
        explicit.onAtRisk(notified::add);
        Lease watched = client.getLock("another").acquire();
        faulty.server().pause();

        get(watched.lost().toCompletableFuture());
        get(explicit.lost().toCompletableFuture());

        assertThat(faulty.events().risks()).as("the watched one's").isEqualTo(1);
        assertThat(notified).isEmpty();
        faulty.server().resume();
        assertThatThrownBy(explicit::close).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(watched::close).isInstanceOf(LeaseLostException.class);
    }

    /** A lease that is released before the executor runs the action is not notified. */
    @RealTime
    void onAtRisk_closedMeanwhile() {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        Holdfast slow =
                faulty.client(builder -> builder.watchdogTimeout(WATCHDOG).callbackExecutor(tasks::add));
        Lease lease = slow.getLock(NAME).acquire();
        Lease kept = slow.getLock("another").acquire();
        List<Duration> notifiedOfKept = new CopyOnWriteArrayList<>();
        lease.onAtRisk(notified::add);
        kept.onAtRisk(notifiedOfKept::add);
        faulty.server().pause();
        Duration threshold = WATCHDOG.dividedBy(3).minusMillis(100);
        eventually(() -> kept.remaining().compareTo(threshold) < 0);

        CompletableFuture<?> released = lease.releaseAsync();
        eventually(() -> {
            runAll(tasks);
            return notifiedOfKept.size() == 1;
        });
        assertThat(notified).isEmpty();

        CompletableFuture<?> releasedKept = kept.releaseAsync();
        faulty.server().resume();
        eventually(() -> {
            runAll(tasks);
            return released.isDone() && releasedKept.isDone();
        });
    }

    private static void runAll(Queue<Runnable> tasks) {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** An action that refers to the lease does not keep the lease reachable: dropped without close, it expires. */
    @Test
    void onAtRisk_doesNotKeepTheLease() {
        drop(lock);
        eventually(() -> {
            System.gc();
            return !lock.isLocked();
        });
    }

    @SuppressWarnings("CheckReturnValue") // dropped on purpose
    private static void drop(DistributedLock lock) {
        Lease dropped = lock.acquire();
        dropped.onAtRisk(left -> dropped.close());
    }

    /** The action must not be null. */
    @Test
    void onAtRisk_null() {
        try (Lease lease = lock.acquire()) {
            assertThatNullPointerException().isThrownBy(() -> onAtRiskNull(lease));
        }
    }

    @SuppressWarnings("NullAway") // null is rejected
    private static void onAtRiskNull(Lease lease) {
        lease.onAtRisk(null);
    }
}
