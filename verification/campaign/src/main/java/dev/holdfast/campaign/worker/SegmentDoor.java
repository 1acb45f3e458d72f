package dev.holdfast.campaign.worker;

import dev.holdfast.SegmentLease;
import dev.holdfast.SegmentedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import dev.holdfast.campaign.schedule.Turn.Way;
import java.time.Duration;
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
    public boolean isReentrant() {
        return false;
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
            Optional<SegmentLease> lease = async ? acquireAsync(lock, turn) : acquire(lock, turn);
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
        String segment = lease.lockName();
        String nameInRedis = Handle.owner(lease);
        Grant grant = owner.granted(turn, segment, call.take(segment), 0, 1, nameInRedis);
        call.all(Call::missed);
        Inspection inspection = new Inspection(lock.segment(lease.segment()), owner, nameInRedis);
        return new Handle(lease, owner, grant, inspection, async, client.awaitsReleases(), turn.keep());
    }

    private Optional<SegmentLease> acquire(SegmentedLock lock, Turn turn) throws InterruptedException {
        Optional<Duration> lease = turn.lease();
        Alarm alarm = client.alarm(turn.patience());
        try {
            return switch (turn.way()) {
                case LOCK -> Optional.of(lease.isPresent() ? lock.acquire(lease.get()) : lock.acquire());
                case LOCK_INTERRUPTIBLY ->
                    Optional.of(
                            lease.isPresent() ? lock.acquireInterruptibly(lease.get()) : lock.acquireInterruptibly());
                case TRY -> lease.isPresent() ? lock.tryAcquire(Duration.ZERO, lease.get()) : lock.tryAcquire();
                case TRY_WAIT ->
                    lease.isPresent()
                            ? lock.tryAcquire(turn.longestWait(), lease.get())
                            : lock.tryAcquire(turn.longestWait());
            };
        } finally {
            alarm.turnOff();
        }
    }

    private static Optional<SegmentLease> acquireAsync(SegmentedLock lock, Turn turn)
            throws InterruptedException, ExecutionException {
        Optional<Duration> lease = turn.lease();
        if (turn.way() == Way.LOCK || turn.way() == Way.LOCK_INTERRUPTIBLY) {
            return Optional.of(Patience.await(
                    lease.isPresent() ? lock.acquireAsync(lease.get()) : lock.acquireAsync(), turn.patience()));
        }
        Duration wait = turn.way() == Way.TRY ? Duration.ZERO : turn.longestWait();
        return Patience.await(
                lease.isPresent() ? lock.tryAcquireAsync(wait, lease.get()) : lock.tryAcquireAsync(wait),
                turn.patience());
    }
}
