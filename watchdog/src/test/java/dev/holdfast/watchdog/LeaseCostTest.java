package dev.holdfast.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.holdfast.testkit.Eventually;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What keeping leases costs: timer entries, renewals, memory. */
@Tag("pure")
class LeaseCostTest {
    private static final int MANY = 100_000;

    private final Rig rig = new Rig();

    /** A minute of short holds, a millisecond each: no renewal, nothing left behind, one timer entry at any time. */
    @Test
    void shortHolds_aMinuteOfThem() {
        Holder holder = rig.holder("a");
        for (int i = 0; i < 60_000; i++) {
            KeptLease lease = rig.watched(holder);
            assertThat(rig.clock.pending()).isEqualTo(1);
            rig.advance(Duration.ofMillis(1));
            assertThat(lease.end()).isTrue();
            assertThat(rig.deadlines.pending()).isZero();
        }
        assertThat(rig.store.requests()).isEmpty();
        assertThat(holder.news()).isEmpty();
        assertThat(rig.timer.timeouts.get()).as("one timer operation a second").isLessThanOrEqualTo(62);
        rig.advanceSeconds(60);
        assertThat(rig.clock.pending()).isZero();
    }

    /**
     * A hundred thousand leases due in one tick are all renewed, in batches, with one timer entry, and all removed
     * again.
     */
    @Test
    void manyLeases_renewedTogether() {
        Holder holder = rig.holder("a");
        List<KeptLease> leases = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            leases.add(rig.watched(holder));
        }
        assertThat(rig.clock.pending()).isEqualTo(1);
        rig.advanceSeconds(10);
        assertThat(rig.store.requests()).hasSize(MANY / LeaseStore.DEFAULT_BATCH_LIMIT);
        assertThat(holder.news().size()).isEqualTo(MANY);
        assertThat(leases).allMatch(KeptLease::end);
        assertThat(rig.keeper.size()).isZero();
        assertThat(rig.deadlines.pending()).isZero();
    }

    /** Short leases beside a long one cause no calls to the deadlines or the timer. */
    @Test
    void shortHolds_besideALongOne() {
        rig.watched(rig.holder("long"));
        int timeouts = rig.timer.timeouts.get();
        List<KeptLease> leases = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            leases.add(rig.watched(rig.holder("short")));
            assertThat(rig.deadlines.pending()).isEqualTo(1);
        }
        assertThat(leases).allMatch(KeptLease::end);
        assertThat(rig.keeper.size()).isEqualTo(1);
        assertThat(rig.deadlines.pending()).isEqualTo(1);
        assertThat(rig.timer.timeouts).hasValue(timeouts);
    }

    /** No reference to an ended lease is kept while others live: it can be garbage collected at once. */
    @Test
    void end_leavesNothingToCollect() {
        List<WeakReference<KeptLease>> ended = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            rig.watched(rig.holder("stays"));
            ended.add(keepAndEnd());
        }
        Eventually.await().until(() -> {
            System.gc();
            return ended.stream().allMatch(lease -> lease.get() == null);
        });
        assertThat(rig.keeper.size()).isEqualTo(100);
    }

    private WeakReference<KeptLease> keepAndEnd() {
        KeptLease lease = rig.watched(rig.holder("ends"));
        lease.end();
        return new WeakReference<>(lease);
    }

    /** A kept lease takes less than 128 bytes, including all its links and its share of the queue. */
    @Test
    void keep_lessThan128Bytes() {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Holder holder = rig.holder("a");
        KeptLease[] leases = new KeptLease[MANY];
        rig.watched(holder).end();
        long before = thread.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            leases[i] = rig.watched(holder);
        }
        long each = (thread.getCurrentThreadAllocatedBytes() - before) / MANY;
        assertThat(each).isBetween(32L, 127L);
        assertThat(leases).allMatch(KeptLease::isValid);
    }
}
