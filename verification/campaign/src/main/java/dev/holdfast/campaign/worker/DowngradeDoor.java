package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;

/**
 * A thread that acquires a write lock, then the read lock under it, and releases the first: it stays the holder of the
 * second, without a moment in which another owner could write.
 */
final class DowngradeDoor implements Door {
    private final HoldfastClient client;
    private final BlockingDoor writing;
    private final OwnerDiary thread;

    DowngradeDoor(HoldfastClient client) {
        this.client = client;
        this.writing = new BlockingDoor(client);
        this.thread =
                client.owner(By.BLOCKING, Long.toString(Thread.currentThread().getId()));
    }

    @Override
    public boolean isBlocking() {
        return true;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        return writing.enter(turn).flatMap(written -> downgraded(turn, written));
    }

    private Optional<Stay> downgraded(Turn turn, Stay written) {
        DistributedReadWriteLock both = client.readWriteLock(turn);
        OwnerDiary owner = thread.reading();
        Call call = owner.calls(What.LOCK, turn.lock(), Optional.empty());
        try {
            both.readLock().lock();
            Grant grant = owner.granted(turn, call, 0, both.readLock().getHoldCount(), owner.owner());
            CallingThread held = new CallingThread(both.readLock());
            Inspection none = Inspection.of(both.readLock(), owner, owner.owner());
            return Optional.of(new Level(grant, held, owner, none, both.readLock()::unlock));
        } catch (RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        } finally {
            written.leave();
        }
    }
}
