package dev.holdfast.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.view.Unconnected;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A part of a call for several locks, which one thread begins and another one gives up. */
@Tag("pure")
final class PartAcquisitionTest {
    private static final int ROUNDS = 3_000;

    @AutoClose
    private final Unconnected parts = new Unconnected();

    /** A part that was given up before it begins never begins. */
    @Test
    void giveUp_before() {
        PartAcquisition part = part(-2);
        part.giveUp();
        part.begin();
        assertThat(hasBegun(part)).isFalse();
    }

    /** A part that was begun is given up, at once. */
    @Test
    void giveUp_after() {
        PartAcquisition part = part(-2);
        part.begin();
        assertThat(part.isPending()).isTrue();
        part.giveUp();
        assertThat(part.isPending()).isFalse();
    }

    /** Nor does a part stay pending that is given up while it begins: no call would have its grant. */
    @Test
    void giveUp_meanwhile() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        CyclicBarrier start = new CyclicBarrier(2);
        for (int round = 1; round <= ROUNDS; round++) {
            PartAcquisition part = part(-2L * round);
            long pause = round % 50 * 100L;
            Future<?> begun = other.submit(() -> {
                start.await();
                part.begin();
                return true;
            });
            start.await();
            LockSupport.parkNanos(pause);
            part.giveUp();
            begun.get();
            assertThat(hasBegun(part) && part.isPending()).as("round " + round).isFalse();
        }
        other.shutdown();
    }

    private PartAcquisition part(long ownerId) {
        return new PartAcquisition(
                parts.acquisitions(), parts.request(ownerId, Ownership.HANDLE), 0, null, null, (part, how) -> {
                    throw new AssertionError("without a connection no part ends by itself, but it was " + how);
                });
    }

    private boolean hasBegun(PartAcquisition part) {
        return parts.holds().locks().lane(part.key(), part.ownerId()) != null;
    }
}
