package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * However a refusal, a failure and the caller's own giving up fall together: an acquisition is settled once, its caller is told
 * once, and what it is told is what the state says.
 */
class AcquisitionInterleavingTest {

    /** Somebody who tries once, and counts what he is told. */
    private static final class Rig {
        final AtomicInteger told = new AtomicInteger();
        final AtomicInteger abandoned = new AtomicInteger();
        final Acquisition acquisition;

        Rig() {
            Unconnected parts = new Unconnected();
            LeaseRequest lease = parts.engine.watchedLease();
            acquisition = new Acquisition(parts.engine, new Wanted(parts.lock, -1, Ownership.OWNER_ID, lease, 0)) {
                @Override
                void onSettled(State how) {
                    require(how == state(), "what is told is what happened");
                    told.incrementAndGet();
                }

                @Override
                @Nullable
                Thread boundThread() {
                    return null;
                }
            };
        }

        void abandon() {
            abandoned.addAndGet(acquisition.abandon() ? 1 : 0);
        }
    }

    /** The caller gives up while the lock turns out busy and the attempt fails. */
    @Test
    void abandon_againstBusyAndFailure() {
        explore(() -> {
            Rig rig = new Rig();
            together(
                    rig::abandon,
                    () -> rig.acquisition.busy(1),
                    () -> rig.acquisition.failAlone(new IllegalStateException("no answer")));
            require(rig.told.get() == 1, "the caller was told once");
            boolean gaveUp = rig.acquisition.state() == Acquisition.State.ABANDONED;
            require(rig.abandoned.get() == (gaveUp ? 1 : 0), "who gave up in time knows it, and nobody else");
            boolean failed = rig.acquisition.state() == Acquisition.State.FAILED;
            require(!failed || rig.acquisition.failure() != null, "who failed knows why");
        });
    }
}
