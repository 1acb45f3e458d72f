package dev.holdfast.campaign.worker;

import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Any segment of a segmented lock. Each call has an owner of its own in the journal. */
final class SegmentDoor implements Door {
    private final HoldfastClient client;
    private final boolean async;

    /** @param async whether it uses futures or blocks */
    SegmentDoor(HoldfastClient client, boolean async) {
        this.client = client;
        this.async = async;
    }

    @Override
    public boolean isBlocking() {
        return !async;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        SegmentedLock lock = client.segments(turn);
        OwnerDiary owner = client.owner(By.SEGMENT, "segment-" + client.diary().nextNumber());
        JointCall call = JointCall.of(
                owner, turn, turn.beside().stream().map(Diary.Name::plain).toList());
        try {
            Optional<SegmentLease> lease = acquire(lock, turn);
            if (lease.isEmpty()) {
                call.all(Call::refused);
                return Optional.empty();
            }
            return Optional.of(granted(turn, lock, owner, call, lease.get()));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    private Stay granted(Turn turn, SegmentedLock lock, OwnerDiary owner, JointCall call, SegmentLease lease) {
        String segment = lease.name();
        String nameInRedis = Handle.owner(lease);
        Grant grant = owner.granted(turn, segment, call.take(segment), 0, 1, nameInRedis);
        call.all(Call::missed);
        Inspection inspection = Inspection.of(lock.segment(lease.segment()), owner, nameInRedis);
        return new Handle(lease, owner, grant, inspection, async, client.awaitsReleases(), turn.keep());
    }

    private Optional<SegmentLease> acquire(SegmentedLock lock, Turn turn)
            throws InterruptedException, ExecutionException {
        HandleAcquirer<SegmentLease> by = new HandleAcquirer<>(
                lock::acquire,
                lock::acquire,
                lock::acquireInterruptibly,
                lock::acquireInterruptibly,
                wait -> wait.isZero() ? lock.tryAcquire() : lock.tryAcquire(wait),
                lock::tryAcquire,
                lock::acquireAsync,
                lock::acquireAsync,
                lock::tryAcquireAsync,
                lock::tryAcquireAsync);
        return async ? by.async(turn) : by.blocking(client, turn);
    }
}
