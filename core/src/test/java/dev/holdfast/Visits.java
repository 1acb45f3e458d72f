package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A section in which the owners of one lock work one at a time, unless a failover has lost the hold of one of them: it
 * may work beside the next owner then, and is told at its release at the latest.
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

    /** The last owner that came in, until it leaves. */
    private final AtomicReference<@Nullable Visit> inside = new AtomicReference<>();

    private final Queue<Overlap> overlaps = new ConcurrentLinkedQueue<>();
    private final AtomicInteger entered = new AtomicInteger();

    /** Works as the owner of this lock, which the caller's thread holds, and releases it. */
    public void pass(DistributedLock lock, Runnable work) {
        Visit visit = new Visit();
        Visit present = inside.getAndSet(visit);
        if (present != null) {
            overlaps.add(new Overlap(present, visit));
        }
        entered.incrementAndGet();
        try {
            work.run();
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

    /** {@return how often an owner has come in} */
    public int entered() {
        return entered.get();
    }

    /** Asserts, when all have left, that of two owners that were inside together one was told that it had lost the lock. */
    public void assertLossesAreTold() {
        assertThat(overlaps).allMatch(Overlap::isExplained);
    }
}
