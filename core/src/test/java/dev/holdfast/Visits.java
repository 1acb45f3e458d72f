package dev.holdfast;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A section in which the owners of one lock work one at a time, unless a failover has lost the hold of one of them: it
 * may work beside the next owner then. It is told so at its release at the latest, if it leaves when its client knows of
 * the new master. As long as its client does not, the old master may acknowledge the release, as it has granted the hold:
 * that owner is never told.
 */
public final class Visits {
    private static final class Visit {
        volatile boolean lost;
    }

    private record Overlap(Visit earlier, Visit later) {
        boolean isExplained() {
            return earlier.lost || later.lost;
        }
    }

    /** The time until all clients know of a new master. */
    private static final class Failover {
        private final boolean ownersStay;
        private final CompletableFuture<@Nullable Void> stayed = new CompletableFuture<>();
        private final CompletableFuture<@Nullable Void> over = new CompletableFuture<>();

        Failover(boolean ownersStay) {
            this.ownersStay = ownersStay;
        }

        /** An owner that is inside leaves when the failover is over. */
        void stay() {
            if (ownersStay) {
                stayed.complete(null);
                over.join();
            }
        }
    }

    /** The last owner that came in, until it leaves. */
    private final AtomicReference<@Nullable Visit> inside = new AtomicReference<>();

    private final Queue<Overlap> overlaps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger entered = new AtomicInteger();
    private volatile @Nullable Failover failover;

    /** {@return threads that work here in turn, until they are stopped} */
    public Crowd crowd(DistributedLock lock, int threads) {
        return new Crowd(threads, new Guarded(), work -> {
            lock.lock();
            pass(lock, work);
        });
    }

    /** Works as the owner of this lock, which the caller's thread holds, and releases it. */
    private void pass(DistributedLock lock, Runnable work) {
        Visit visit = new Visit();
        Failover before = failover;
        Visit present = inside.getAndSet(visit);
        if (present != null && (before == null || before.ownersStay)) {
            overlaps.add(new Overlap(present, visit));
        }
        entered.incrementAndGet();
        try {
            work.run();
            Failover now = failover;
            if (now != null) {
                now.stay();
            }
        } finally {
            inside.compareAndSet(visit, null);
            unlock(lock, visit);
        }
    }

    private static void unlock(DistributedLock lock, Visit visit) {
        try {
            lock.unlock();
        } catch (LeaseLostException lost) {
            visit.lost = true;
            assertThat(lost.reason()).isEqualTo(LossReason.FAILOVER);
        }
    }

    /**
     * Runs a failover while an owner is inside. That one leaves when this has returned, and so does any other that comes in
     * meanwhile.
     *
     * @param action returns when the clients know of the new master
     */
    public void failOverWhileOwnersStay(Runnable action) {
        Failover begun = new Failover(true);
        failover = begun;
        get(begun.stayed, SOON);
        run(begun, action);
    }

    /**
     * Runs a failover while owners come and go. Those of the old master and those of the new one may overlap until it is over.
     *
     * @param action returns when the clients know of the new master
     */
    public void failOverMeanwhile(Runnable action) {
        Failover begun = new Failover(false);
        failover = begun;
        run(begun, action);
    }

    private void run(Failover begun, Runnable action) {
        try {
            action.run();
        } finally {
            failover = null;
            begun.over.complete(null);
        }
    }

    /** {@return how often an owner has come in} */
    public int entered() {
        return entered.get();
    }

    /** Asserts, when all have left, that of two owners that were inside together one was told that it had lost the lock. */
    public void assertLossesAreTold() {
        assertThat(overlaps).allMatch(Overlap::isExplained);
    }
}
