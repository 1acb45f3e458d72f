package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Lease;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Lease handles: each hold has an owner of its own. The owner id that Redis will see is not known before the grant, so
 * owners have names of their own in the journal.
 */
final class HandleDoor implements Door {
    private final HoldfastClient client;
    private final boolean async;

    /** @param async whether it uses futures or blocks */
    HandleDoor(HoldfastClient client, boolean async) {
        this.client = client;
        this.async = async;
    }

    @Override
    public boolean isBlocking() {
        return !async;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        DistributedLock lock = client.lock(turn);
        OwnerDiary owner =
                client.owner(By.HANDLE, "handle-" + client.diary().nextNumber()).of(turn);
        Call call = owner.acquires(turn, client.name(turn));
        try {
            Optional<Lease> lease = acquire(lock, turn);
            if (lease.isEmpty()) {
                call.refused();
                return Optional.empty();
            }
            long token = lock instanceof FencedLock ? lease.get().token() : 0;
            String nameInRedis = Handle.owner(lease.get());
            Grant grant = owner.granted(turn, call, token, 1, owner.inJournal(nameInRedis));
            Inspection inspection = Inspection.of(lock, owner, nameInRedis);
            return Optional.of(
                    new Handle(lease.get(), owner, grant, inspection, async, client.awaitsReleases(), turn.keep()));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    private Optional<Lease> acquire(DistributedLock lock, Turn turn) throws InterruptedException, ExecutionException {
        HandleAcquirer<Lease> by = new HandleAcquirer<>(
                lock::acquire,
                lock::acquire,
                lock::acquireInterruptibly,
                lock::acquireInterruptibly,
                lock::tryAcquire,
                lock::tryAcquire,
                lock::acquireAsync,
                lock::acquireAsync,
                lock::tryAcquireAsync,
                lock::tryAcquireAsync);
        return async ? by.async(turn) : by.blocking(client, turn);
    }
}
