package dev.holdfast.campaign.worker;

import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.Turn;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Futures, for an owner id. The callback of the future blocks for as long as the lock is held: until the future of the
 * release, which the same client completes, is done. The owner could re-enter, but one blocked callback is enough.
 */
final class CallbackDoor implements Door {
    private final HoldfastClient client;
    private final long ownerId;
    private final OwnerDiary owner;

    CallbackDoor(HoldfastClient client, long ownerId) {
        this.client = client;
        this.ownerId = ownerId;
        this.owner = client.owner(By.ASYNC, Long.toString(ownerId));
    }

    @Override
    public boolean isBlocking() {
        return false;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        OwnedLock lock = client.lock(turn).ownedBy(ownerId);
        CompletableFuture<?> left = new CompletableFuture<>();
        Call call = owner.acquires(turn, client.name(turn));
        try {
            CompletableFuture<?> acquisition = FutureAcquirer.of(lock, turn);
            CompletableFuture<Object> answered = new CompletableFuture<>();
            CompletableFuture<?> callback = block(acquisition, answered, left);
            OptionalLong token = FutureAcquirer.token(answered.get(), lock);
            if (token.isEmpty()) {
                left.complete(null);
            }
            return owner.answered(turn, call, token, lock::getHoldCount)
                    .map(grant -> new Level(
                            grant,
                            lock,
                            owner,
                            Inspection.of(client.lock(turn), owner, owner.owner()),
                            () -> leave(lock, left, callback)));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    /**
     * Attaches a callback to a future, which completes {@code answered} and then blocks until {@code left} is done. If
     * the future is done already, the callback runs on the calling thread and does not block, since that thread is the
     * one that completes {@code left}.
     *
     * @return completes after the callback
     */
    static CompletableFuture<?> block(
            CompletableFuture<?> acquisition, CompletableFuture<Object> answered, CompletableFuture<?> left) {
        Thread caller = Thread.currentThread();
        return acquisition.whenComplete((answer, failure) -> {
            if (failure != null) {
                answered.completeExceptionally(failure);
                return;
            }
            answered.complete(answer);
            if (Thread.currentThread() != caller) {
                left.join();
            }
        });
    }

    private static void leave(OwnedLock lock, CompletableFuture<?> left, CompletableFuture<?> callback)
            throws InterruptedException, ExecutionException {
        CompletableFuture<?> released = lock.unlockAsync().whenComplete((done, failure) -> left.complete(null));
        released.get();
        callback.get();
    }
}
