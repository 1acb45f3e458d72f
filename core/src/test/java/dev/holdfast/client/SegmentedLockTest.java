package dev.holdfast.client;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock over several segments, of which a caller gets any that is free. */
@Tag("client")
final class SegmentedLockTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SHORT_WAIT = Duration.ofMillis(50);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** As many callers as there are segments hold one each, by whatever method; a further one finds all busy. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void acquire_everyWay_untilAllAreBusy(int size) throws InterruptedException {
        SegmentedLock lock = lock(size);
        List<SegmentLease> held = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            held.add(
                    switch (i % 7) {
                        case 0 -> lock.acquire();
                        case 1 -> lock.acquire(MINUTE);
                        case 2 -> lock.acquireInterruptibly();
                        case 3 -> lock.tryAcquire().orElseThrow();
                        case 4 -> lock.tryAcquire(MINUTE, MINUTE).orElseThrow();
                        case 5 -> Patience.get(lock.acquireAsync());
                        default ->
                            Patience.get(lock.tryAcquireAsync(Duration.ZERO)).orElseThrow();
                    });
        }

        assertThat(held.stream().map(SegmentLease::segment))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, size).boxed().toList());
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();
        assertThat(lock.tryAcquire(Duration.ZERO, MINUTE)).isEmpty();
        assertThat(Patience.get(lock.tryAcquireAsync(Duration.ZERO))).isEmpty();
        assertThat(Patience.get(lock.tryAcquireAsync(Duration.ZERO, MINUTE))).isEmpty();
        held.forEach(Lease::close);
    }

    /** A lease is that of the segment's own lock, which is busy for every other caller. */
    @Test
    void acquire_isTheLockOfTheSegment() {
        SegmentedLock lock = lock(3);
        try (SegmentLease lease = lock.acquire()) {
            assertThat(lease.isValid()).isTrue();
            assertThat(lease.name()).isEqualTo(redis.name() + ":" + lease.segment());
            assertThat(redis.keys()).containsExactly(lease.name());
            assertThat(redis.rival().getLock(lease.name()).tryLock()).isFalse();
            assertThat(lock.segment(lease.segment()).isLocked()).isTrue();
            assertThat(lock.segment(lease.segment()).name()).isEqualTo(lease.name());
        }
        assertThat(redis.keys()).isEmpty();
    }

    /** A segment whose lock is held by its name is not acquired, and another one is. */
    @Test
    void acquire_besideTheLocksOfSegments() {
        DistributedLock second = redis.rival().getLock(redis.name() + ":1");
        try (Lease busy = second.acquire();
                SegmentLease one = lock(3).acquire();
                SegmentLease other = lock(3).acquire()) {
            assertThat(busy.isValid()).isTrue();
            assertThat(Set.of(one.segment(), other.segment())).containsExactlyInAnyOrder(0, 2);
            assertThat(lock(3).tryAcquire()).isEmpty();
        }
    }

    /** Clients do not all begin with the same segment. */
    @Test
    void acquire_beginsAnywhere() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 200 && seen.size() < 4; i++) {
            try (SegmentLease lease = lock(4).acquire()) {
                seen.add(lease.segment());
            }
        }
        assertThat(seen).hasSize(4);
    }

    /** A caller that finds one segment exhausted goes on with the others, and ends when there are none left. */
    @Test
    void without_movesOn() {
        SegmentedLock left = lock(5);
        List<Integer> visited = new ArrayList<>();
        while (!left.isEmpty()) {
            try (SegmentLease lease = left.acquire()) {
                visited.add(lease.segment());
                left = left.without(lease.segment());
            }
        }
        assertThat(visited).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }

    /** A view neither acquires nor waits for what it does without, though it is free; the original view does. */
    @RealTime
    void without_ignoresFreeSegments() throws InterruptedException {
        SegmentedLock lock = lock(3);
        SegmentedLock first = lock.without(1, 2).without(2);
        assertThat(first.segments()).containsExactly(0);
        assertThat(first.size()).isEqualTo(3);
        assertThat(lock.segments()).containsExactly(0, 1, 2);

        SegmentLease only = first.acquire();
        assertThat(only.segment()).isZero();
        assertThat(first.tryAcquire()).isEmpty();
        assertThat(first.tryAcquire(SHORT_WAIT)).isEmpty();
        CompletableFuture<SegmentLease> waits = first.acquireAsync();
        awaitWaiting(1);
        try (SegmentLease other = lock.acquire()) {
            assertThat(other.segment()).isNotZero();
            assertThat(waits).isNotDone();
        }
        only.close();
        SegmentLease next = Patience.get(waits);
        assertThat(next.segment()).isZero();
        next.close();
    }

    /** A view without segments acquires nothing, and says so. */
    @Test
    void without_all() {
        SegmentedLock none = lock(2).without(0, 1);
        assertThat(none.isEmpty()).isTrue();
        assertThat(none.segments()).isEmpty();
        assertThatIllegalStateException().isThrownBy(none::acquire).withMessageContaining("no segment is left");
        assertThatIllegalStateException().isThrownBy(none::tryAcquire);
        assertThatIllegalStateException().isThrownBy(none::acquireAsync);
    }

    /** A waiter gets whichever segment is released first, by whatever client that was held. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void wait_getsTheFirstThatFrees(int freed) {
        List<Lease> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add((i == 1 ? redis.client() : redis.rival())
                    .getLock(redis.name() + ":" + i)
                    .acquire());
        }
        Worker waiter = redis.worker();
        CompletableFuture<SegmentLease> waits = waiter.begins(() -> lock(3).acquire());
        awaitWaiting(3);

        held.remove(freed).close();
        SegmentLease lease = Patience.get(waits);
        assertThat(lease.segment()).isEqualTo(freed);
        held.forEach(Lease::close);
        lease.close();
    }

    /** Segments that are released at the same time go to one waiter each: none has two, and none waits on. */
    @Test
    void wait_allFreeAtOnce_oneEach() {
        for (int round = 0; round < 30; round++) {
            List<SegmentLease> held = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                held.add(lock(4).acquire());
            }
            List<CompletableFuture<SegmentLease>> waits = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                waits.add((i % 2 == 0 ? lock(4) : rivals(4)).acquireAsync());
            }
            if (round % 2 == 0) {
                Patience.await()
                        .until(() -> redis.client().stats().waiters() >= 4
                                && redis.rival().stats().waiters() >= 4);
            }
            List<CompletableFuture<?>> released = new ArrayList<>();
            held.forEach(lease -> released.add(lease.releaseAsync()));

            Set<Integer> got = waits.stream()
                    .map(Patience::get)
                    .peek(lease -> assertThat(lease.isValid()).isTrue())
                    .map(SegmentLease::segment)
                    .collect(toCollection(HashSet::new));
            assertThat(got).containsExactlyInAnyOrder(0, 1, 2, 3);
            released.forEach(Patience::get);
            waits.forEach(lease -> Patience.get(lease).close());
        }
    }

    /** The waiters of one client are served in the order in which they came. */
    @Test
    void wait_firstComeFirstServed() {
        SegmentLease held = lock(1).acquire();
        List<CompletableFuture<SegmentLease>> waits = new ArrayList<>();
        waits.add(lock(1).acquireAsync());
        // Until one waits, each of them searches for a free segment, and waits when its search ends.
        awaitWaiting(1);
        for (int i = 1; i < 5; i++) {
            waits.add(lock(1).acquireAsync());
        }
        held.close();
        for (CompletableFuture<SegmentLease> next : waits) {
            Patience.get(next).close();
        }
    }

    /** Callers that wait with different leases get the lease that they asked for. */
    @Test
    void wait_eachWithItsLease() {
        SegmentLease held = lock(1).acquire();
        CompletableFuture<SegmentLease> shorter = lock(1).acquireAsync(MINUTE);
        awaitWaiting(1);
        CompletableFuture<SegmentLease> longer = lock(1).acquireAsync(MINUTE.multipliedBy(60));
        awaitWaiting(2);
        held.close();
        SegmentLease first = Patience.get(shorter);
        assertThat(first.remaining()).isLessThanOrEqualTo(MINUTE);
        first.close();
        SegmentLease second = Patience.get(longer);
        assertThat(second.remaining()).isGreaterThan(MINUTE);
        second.close();
    }

    /** A thread that is interrupted already cannot wait for a segment, but can attempt to acquire one. */
    @Test
    void tryAcquire_interrupted() {
        SegmentLease held = lock(1).acquire();
        redis.worker().does(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> lock(1).tryAcquire(MINUTE)).isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThat(lock(1).tryAcquire()).isEmpty();
            assertThat(Thread.interrupted()).isTrue();
        });
        held.close();
    }

    /** A future that its caller completes acquires nothing, and its place in the queues is given up. */
    @Test
    void cancel_endsTheWait() {
        SegmentLease held = lock(1).acquire();
        CompletableFuture<SegmentLease> cancelled = lock(1).acquireAsync();
        CompletableFuture<Optional<SegmentLease>> completed = lock(1).tryAcquireAsync(MINUTE);
        CompletableFuture<SegmentLease> waits = lock(1).acquireAsync();
        awaitWaiting(1);
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(completed.complete(Optional.empty())).isTrue();
        held.close();
        Patience.get(waits).close();
        assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
    }

    /** A lost lease says so; the segment can be acquired again. */
    @RealTime
    void lost_isTold() {
        SegmentedLock lock = lock(1);
        SegmentLease lost = lock.acquire(Duration.ofMillis(500));
        assertThat(Patience.get(lost.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(lost.isValid()).isFalse();
        try (SegmentLease next = lock.acquire()) {
            assertThat(next.isValid()).isTrue();
            assertThatThrownBy(lost::close).isInstanceOf(LeaseLostException.class);
        }
    }

    /** A waiter gets a segment whose holder has died, at the end of that lease. */
    @RealTime
    void wait_holderRunsOut() {
        SegmentLease dies = lock(2).acquire(Duration.ofMillis(500));
        SegmentLease stays = lock(2).acquire();
        SegmentLease next = rivals(2).acquire();
        assertThat(next.segment()).isEqualTo(dies.segment());
        assertThatThrownBy(dies::close).isInstanceOf(LeaseLostException.class);
        stays.close();
        next.close();
    }

    /** A segment whose key is not a lock is left out, unless it is the only one. */
    @RealTime
    void foreignKey_isLeftOut() throws InterruptedException {
        redis.server().command("SET", redis.name() + ":0", "not a lock");
        try {
            SegmentLease held = lock(2).acquire();
            assertThat(held.segment()).isOne();
            assertThatThrownBy(() -> lock(2).tryAcquire()).hasMessageContaining("not a lock");
            assertThatThrownBy(() -> lock(2).tryAcquire(SHORT_WAIT)).hasMessageContaining("not a lock");
            assertThatThrownBy(() -> lock(2).without(1).acquire()).hasMessageContaining("not a lock");
            CompletableFuture<SegmentLease> waits = lock(2).acquireAsync();
            awaitWaiting(1);
            held.close();
            Patience.get(waits).close();
        } finally {
            redis.server().command("DEL", redis.name() + ":0");
        }
    }

    /** Closing the client fails its waiters. */
    @Test
    void close_failsWaiters() {
        var client = redis.connect(builder -> builder);
        SegmentLease held = lock(2).acquire();
        SegmentLease other = lock(2).acquire();
        CompletableFuture<SegmentLease> waits =
                client.getSegmentedLock(redis.name(), 2).acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 2);
        client.close();
        assertThatThrownBy(() -> Patience.get(waits)).hasMessageContaining("closed");
        assertThatIllegalStateException()
                .isThrownBy(() -> client.getSegmentedLock(redis.name(), 2).acquireAsync());
        held.close();
        other.close();
    }

    /** Wrong arguments are refused where they enter. */
    @Test
    void arguments_areChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> redis.client().getSegmentedLock("x", 0))
                .withMessageContaining("from 1 to 1024, was 0");
        assertThatIllegalArgumentException().isThrownBy(() -> redis.client().getSegmentedLock("x", 1_025));
        assertThatIllegalArgumentException().isThrownBy(() -> redis.client().getSegmentedLock(" ", 2));
        SegmentedLock lock = lock(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.segment(2))
                .withMessageContaining("from 0 to 1, was 2");
        assertThatIllegalArgumentException().isThrownBy(() -> lock.segment(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> lock.without(0, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> lock.acquire(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> lock.tryAcquire(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.tryAcquireAsync(Duration.ZERO, Duration.ofDays(40_000)));
    }

    private static SegmentedLock lock(int size) {
        return redis.client().getSegmentedLock(redis.name(), size);
    }

    private static SegmentedLock rivals(int size) {
        return redis.rival().getSegmentedLock(redis.name(), size);
    }

    /** Waits until the client waits in the queues of so many segments. */
    private static void awaitWaiting(int requests) {
        Patience.await().until(() -> redis.client().stats().waiters() == requests);
    }
}
