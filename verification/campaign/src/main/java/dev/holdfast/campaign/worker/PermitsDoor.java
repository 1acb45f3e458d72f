package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Permits;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Permits of a semaphore. Each request has an owner of its own in the journal. */
final class PermitsDoor implements Door {
    private final HoldfastClient client;
    private final boolean async;

    /** @param async whether it uses futures or blocks */
    PermitsDoor(HoldfastClient client, boolean async) {
        this.client = client;
        this.async = async;
    }

    @Override
    public boolean isBlocking() {
        return !async;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        DistributedSemaphore semaphore = client.semaphore(turn);
        int permits = Math.min(turn.levels(), semaphore.permits());
        OwnerDiary owner = client.owner(By.PERMITS, "permits-" + client.diary().nextNumber());
        Call call = owner.acquires(turn, Diary.Name.plain(turn.lock()));
        client.diary().requested(call.op(), permits, semaphore.permits());
        try {
            Optional<Permits> granted = acquire(semaphore, permits, turn);
            if (granted.isEmpty()) {
                call.refused();
                return Optional.empty();
            }
            return Optional.of(granted(turn, semaphore, owner, call, granted.get()));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    private Stay granted(Turn turn, DistributedSemaphore semaphore, OwnerDiary owner, Call call, Permits permits) {
        String nameInRedis = Handle.owner(permits);
        client.diary().numbered(call.op(), permits.number());
        Grant grant = owner.granted(turn, call, 0, 1, nameInRedis);
        Inspection inspection = Inspection.of(semaphore, owner, nameInRedis);
        return new Handle(permits, owner, grant, inspection, async, client.awaitsReleases(), turn.keep());
    }

    private Optional<Permits> acquire(DistributedSemaphore semaphore, int permits, Turn turn)
            throws InterruptedException, ExecutionException {
        HandleAcquirer<Permits> by = new HandleAcquirer<>(
                () -> semaphore.acquire(permits),
                lease -> semaphore.acquire(permits, lease),
                () -> semaphore.acquireInterruptibly(permits),
                lease -> semaphore.acquireInterruptibly(permits, lease),
                wait -> wait.isZero() ? semaphore.tryAcquire(permits) : semaphore.tryAcquire(permits, wait),
                (wait, lease) -> semaphore.tryAcquire(permits, wait, lease),
                () -> semaphore.acquireAsync(permits),
                lease -> semaphore.acquireAsync(permits, lease),
                wait -> semaphore.tryAcquireAsync(permits, wait),
                (wait, lease) -> semaphore.tryAcquireAsync(permits, wait, lease));
        return async ? by.async(turn) : by.blocking(client, turn);
    }
}
