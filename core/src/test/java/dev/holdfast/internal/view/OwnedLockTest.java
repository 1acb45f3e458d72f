package dev.holdfast.internal.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Lease;
import dev.holdfast.OwnedLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.Worker;
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

/** Owners with ids of their own, independent of threads. */
final class OwnedLockTest {
    private static final int CALLS = 50;

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final OwnedLock owned = redis.lock().ownedBy(redis.client().newOwnerId());

    /** Each new owner id is unique, and never the id of a thread. */
    @Test
    void newOwnerId_isNoThreads() {
        List<Long> ids = Stream.generate(redis.client()::newOwnerId).limit(100).toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id < 0);
    }

    /** Concurrent calls of one owner, from many threads, are executed one after the other: each counts once. */
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

    /** Pairs of lock and unlock of one owner, interleaved without waiting for each other, leave nothing behind. */
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

    /** An unlock that is called before its lock is granted takes effect after it all the same. */
    @Test
    void unlockAsync_beforeTheGrant() {
        CompletableFuture<?> locking = owned.lockAsync();
        CompletableFuture<?> unlocking = owned.unlockAsync();
        Patience.get(locking);
        Patience.get(unlocking);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** A thread's id can be used to act for that thread. */
    @Test
    void ownedBy_threadId() {
        Worker thread = redis.worker();
        thread.does(() -> redis.lock().lock());
        OwnedLock delegate = redis.lock().ownedBy(thread.thread().getId());
        assertThat(delegate.isHeld()).isTrue();
        Patience.get(delegate.unlockAsync());
        assertThat(thread.does(() -> redis.lock().isHeldByCurrentThread())).isFalse();
    }

    /**
     * {@code isHeld()} is about that owner only: not the thread, not another owner, not another client's owner with the
     * same number.
     */
    @Test
    void isHeldBy_onlyThatOwner() {
        Patience.get(owned.lockAsync(Duration.ofMinutes(1)));
        assertThat(redis.lock().isHeldBy(owned.ownerId())).isTrue();
        assertThat(redis.lock().isHeldByCurrentThread()).isFalse();
        assertThat(redis.lock().isHeldBy(redis.client().newOwnerId())).isFalse();
        while (redis.rival().newOwnerId() > owned.ownerId()) {
            // the rival must have drawn the same number
        }
        DistributedLock rival = redis.rival().getLock(redis.name());
        assertThat(rival.isHeldBy(owned.ownerId())).isFalse();
        assertThat(Patience.get(rival.ownedBy(owned.ownerId()).tryLockAsync())).isFalse();
        Patience.get(owned.unlockAsync());
    }

    /** The id of a lease handle, drawn already or not, cannot be used as an owner id, on any kind of lock. */
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

    /** Nor can an id that was not drawn by this client, but made up or drawn by another one. */
    @Test
    void ownedBy_idNotDrawn_isRefused() {
        long drawn = redis.client().newOwnerId();
        assertThat(redis.lock().ownedBy(drawn).isHeld()).isFalse();
        assertThatThrownBy(() -> redis.lock().ownedBy(drawn - 2_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("newOwnerId() has not returned it");
    }

    /** An unlock without a hold fails through its future, not in the call. */
    @Test
    void unlockAsync_notHeld() {
        CompletableFuture<?> unlocking = owned.unlockAsync();
        assertThatThrownBy(() -> Patience.get(unlocking))
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(redis.name())
                .hasMessageContaining(redis.client().clientId() + ":" + owned.ownerId());
    }
}
