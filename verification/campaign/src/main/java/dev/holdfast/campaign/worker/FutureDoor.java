package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** Futures, for an owner id or for the calling thread. */
final class FutureDoor implements Door {
    private final HoldfastClient client;
    private final Function<Turn, OwnedLock> locks;
    private final OwnerDiary self;

    private FutureDoor(HoldfastClient client, long ownerId, Function<Turn, OwnedLock> locks) {
        this.client = client;
        this.locks = locks;
        this.self = client.owner(By.ASYNC, Long.toString(ownerId));
    }

    /** {@return futures for the calling thread} */
    static FutureDoor ofThread(HoldfastClient client) {
        return new FutureDoor(client, Thread.currentThread().getId(), turn -> new CallingThread(client.lock(turn)));
    }

    /** {@return futures for an owner id} */
    static FutureDoor ofOwner(HoldfastClient client, long ownerId) {
        return new FutureDoor(client, ownerId, turn -> client.lock(turn).ownedBy(ownerId));
    }

    @Override
    public boolean isReentrant() {
        return true;
    }

    @Override
    public boolean isBlocking() {
        return false;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        OwnedLock lock = locks.apply(turn);
        OwnerDiary owner = self.of(turn);
        Call call = owner.acquires(turn, client.name(turn));
        try {
            Object answer = Patience.await(FutureAcquirer.of(lock, turn), turn.patience());
            OptionalLong token = FutureAcquirer.token(answer, lock);
            return owner.answered(turn, call, token, lock::getHoldCount)
                    .map(grant -> new Level(
                            grant,
                            lock,
                            owner,
                            Inspection.of(client.lock(turn), owner, owner.owner()),
                            () -> lock.unlockAsync().get()));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }
}
