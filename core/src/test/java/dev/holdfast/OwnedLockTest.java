package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Owners that are no threads. */
final class OwnedLockTest {
    private static final int CALLS = 50;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final OwnedLock owned = redis.lock().ownedBy(redis.client().newOwnerId());

    /** Each new owner's id is its own, and is none that a thread could have. */
    @Test
    void newOwnerId_isNoThreads() {
        List<Long> ids = Stream.generate(redis.client()::newOwnerId).limit(100).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id < 0);
    }

    /** Many calls of one owner at once, from many threads, are carried out one after the other: each counts once. */
    @Test
    void lockAsync_manyAtOnce() {
        List<CompletableFuture<?>> locking = fromManyThreads(() -> owned.lockAsync());
        locking.forEach(Patience::get);
        assertThat(owned.getHoldCount()).isEqualTo(CALLS);
        assertThat(redis.lock().inspect().holdCount()).isEqualTo(CALLS);
        fromManyThreads(() -> owned.unlockAsync()).forEach(Patience::get);
        assertThat(owned.isHeld()).isFalse();
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** Pairs of lock and unlock of one owner, interleaved without waiting for each other, leave nothing. */
    @Test
    void chains_ofOneOwner() {
        List<CompletableFuture<?>> chains =
                fromManyThreads(() -> owned.lockAsync().thenCompose(held -> owned.unlockAsync()));
        chains.forEach(Patience::get);
        assertThat(owned.getHoldCount()).isZero();
        assertThat(redis.lock().isLocked()).isFalse();
    }

    private static List<CompletableFuture<?>> fromManyThreads(Supplier<CompletableFuture<?>> call) {
        List<Worker> workers = Stream.generate(redis::worker).limit(5).toList();
        Queue<CompletableFuture<?>> begun = new ConcurrentLinkedQueue<>();
        List<CompletableFuture<?>> beginning = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            beginning.add(workers.get(i % workers.size()).begins(() -> begun.add(call.get())));
        }
        beginning.forEach(Patience::get);
        return List.copyOf(begun);
    }

    /** An unlock that was asked for before its lock was granted comes after it all the same. */
    @Test
    void unlockAsync_beforeTheGrant() {
        CompletableFuture<?> locking = owned.lockAsync();
        CompletableFuture<?> unlocking = owned.unlockAsync();
        Patience.get(locking);
        Patience.get(unlocking);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** Whoever has a thread's id can act for that thread. */
    @Test
    void ownedBy_threadId() {
        Worker thread = redis.worker();
        thread.does(() -> redis.lock().lock());
        OwnedLock delegate = redis.lock().ownedBy(thread.thread().getId());
        assertThat(delegate.isHeld()).isTrue();
        Patience.get(delegate.unlockAsync());
        assertThat(thread.does(() -> redis.lock().isHeldByCurrentThread())).isFalse();
    }

    /** Looking at an owner asks nobody else: not the thread, not another owner, not a client of the same number. */
    @Test
    void isHeldBy_onlyThatOwner() {
        Patience.get(owned.lockAsync(Duration.ofMinutes(1)));
        assertThat(redis.lock().isHeldBy(owned.ownerId())).isTrue();
        assertThat(redis.lock().isHeldByCurrentThread()).isFalse();
        assertThat(redis.lock().isHeldBy(redis.client().newOwnerId())).isFalse();
        while (redis.rival().newOwnerId() > owned.ownerId()) {
            // the rival is to have drawn the same number
        }
        DistributedLock rival = redis.rival().getLock(redis.name());
        assertThat(rival.isHeldBy(owned.ownerId())).isFalse();
        assertThat(Patience.get(rival.ownedBy(owned.ownerId()).tryLockAsync())).isFalse();
        Patience.get(owned.unlockAsync());
    }

    /** Nobody acts for a handle by its id, nor by one that a handle may draw yet, on no kind of lock. */
    @Test
    void ownedBy_handlesId_isRefused() {
        Lease handle = redis.lock().acquire();
        String owner = ((LeaseHandle) handle).owner();
        long id = Long.parseLong(owner.substring(owner.indexOf(':') + 1));
        for (long refused : new long[] {id, id - 2, id - 1_000, 0}) {
            assertThatThrownBy(() -> redis.lock().ownedBy(refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("newOwnerId()", "was " + refused);
            assertThatThrownBy(() -> redis.client().getFencedLock(redis.name()).ownedBy(refused))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(redis.lock().isHeldBy(refused)).isFalse();
        }
        assertThat(handle.isValid()).isTrue();
        handle.close();
    }

    /** Nor for an owner whose id was made up, or is another client's. */
    @Test
    void ownedBy_idNotDrawn_isRefused() {
        long drawn = redis.client().newOwnerId();
        assertThat(redis.lock().ownedBy(drawn).isHeld()).isFalse();
        assertThatThrownBy(() -> redis.lock().ownedBy(drawn - 2_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newOwnerId() has not returned it");
    }

    /** Who holds nothing has nothing to unlock, and is told so by the future and not by the call. */
    @Test
    void unlockAsync_notHeld() {
        CompletableFuture<?> unlocking = owned.unlockAsync();
        assertThatThrownBy(() -> Patience.get(unlocking))
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(redis.name())
                .hasMessageContaining(redis.client().clientId() + ":" + owned.ownerId());
    }
}
