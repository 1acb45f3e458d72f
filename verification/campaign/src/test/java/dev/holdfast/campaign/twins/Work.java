package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.twins.TwinOwner.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** An owner that acquires its lock in the background, and works while it holds it until {@link #end}. */
final class Work {
    private final CompletableFuture<Boolean> granted = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ending = new CompletableFuture<>();
    private final CompletableFuture<Void> over;

    private Work(TwinOwner owner) {
        over = CompletableFuture.runAsync(() -> {
            Optional<Grant> grant = owner.acquire();
            granted.complete(grant.isPresent());
            if (grant.isPresent()) {
                while (!ending.isDone()) {
                    owner.work(grant.get().op(), Duration.ofMillis(20));
                }
                owner.release();
            }
        });
    }

    static Work begin(TwinOwner owner) {
        return new Work(owner);
    }

    /** Returns when the lock was granted, or will never be. */
    void awaitGrant() throws InterruptedException, ExecutionException {
        granted.get();
    }

    /** Ends the work, and returns when the lock is released. */
    void end() throws InterruptedException, ExecutionException {
        ending.complete(true);
        over.get();
    }
}
