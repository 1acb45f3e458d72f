package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.OptionalLong;

/** Blocking calls; the owner is the calling thread. */
final class BlockingDoor implements Door {
    private final HoldfastClient client;
    private final OwnerDiary thread;

    BlockingDoor(HoldfastClient client) {
        this.client = client;
        this.thread =
                client.owner(By.BLOCKING, Long.toString(Thread.currentThread().getId()));
    }

    @Override
    public boolean isReentrant() {
        return true;
    }

    @Override
    public boolean isBlocking() {
        return true;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        DistributedLock lock = client.lock(turn);
        CallingThread held = new CallingThread(lock);
        OwnerDiary owner = thread.of(turn);
        Call call = owner.acquires(turn, client.name(turn));
        Alarm alarm = client.alarm(turn.patience());
        try {
            OptionalLong token = BlockingAcquirer.of(lock, turn);
            return owner.answered(turn, call, token, lock::getHoldCount)
                    .map(grant ->
                            new Level(grant, held, owner, Inspection.of(lock, owner, owner.owner()), lock::unlock));
        } catch (InterruptedException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        } finally {
            alarm.turnOff();
        }
    }
}
