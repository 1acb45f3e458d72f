package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.view.Unconnected;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The registry has the lane that an owner uses, and removes the others. */
@Tag("pure")
final class LocalLocksTest {
    private static final LockKey LOCK = new LockKey(new PlainKind(), "orders:42", "");
    private static final long OWNER = 17;

    @AutoClose
    private final Unconnected parts = new Unconnected();

    private final LocalLocks locks = parts.holds().locks();

    /** A lane with nothing left to do is removed. */
    @Test
    void rested_isForgotten() {
        locks.submit(LOCK, OWNER, Idle::new);
        assertThat(locks.lanes()).isEmpty();
        assertThat(locks.size()).isZero();
    }

    /**
     * The thread that retires a lane may remove it late. By then the owner may have another lane, which stays: a
     * removal by key alone once removed the new lane, and the owner's unlock failed although it held the lock.
     */
    @Test
    void rested_late_leavesTheNextLane() {
        OwnerLane[] first = new OwnerLane[1];
        locks.submit(LOCK, OWNER, lane -> {
            first[0] = lane;
            return new Idle(lane);
        });
        locks.submit(LOCK, OWNER, Busy::new);
        OwnerLane next = locks.lane(LOCK, OWNER);

        locks.rested(first[0], true);

        assertThat(next).isNotNull().isNotSameAs(first[0]);
        assertThat(locks.lane(LOCK, OWNER)).isSameAs(next);
    }

    /**
     * A lock that is retired is removed from the registry a moment later. Who looks for its waiters in between finds
     * none.
     */
    @Test
    void successors_ofRetired() {
        OwnerLane lane = locks.pin(LOCK, OWNER);
        lane.unpin();
        assertThat(lane.retireUnlessUsed()).isTrue();
        assertThat(lane.local().removeLane(lane)).isTrue();

        assertThat(locks.successors(LOCK)).isNull();
        assertThat(lane.local().successors()).isNull();

        locks.rested(lane, true);
        assertThat(locks.size()).isZero();
    }

    /** Finishes at once. */
    private static class Idle extends LaneCommand {
        Idle(OwnerLane lane) {
            super(lane);
        }

        @Override
        protected void run() {
            done();
        }
    }

    /** Does not finish. */
    private static final class Busy extends Idle {
        Busy(OwnerLane lane) {
            super(lane);
        }

        @Override
        protected void run() {}
    }
}
