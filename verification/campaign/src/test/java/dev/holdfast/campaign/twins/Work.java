package dev.holdfast.campaign.twins;

import dev.holdfast.campaign.twins.TwinOwner.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;

/**
 * An owner that acquires its lock in the background, and works while it holds it until {@link #end}, in periods of 20 ms
 * that are beliefs of their own.
 */
final class Work {
    private static final Duration PERIOD = Duration.ofMillis(20);

    private final CompletableFuture<Boolean> granted = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ending = new CompletableFuture<>();
    private final CompletableFuture<Void> over;
    /** Written by the background thread alone. */
    private volatile int beliefs;

    private volatile boolean believesNoLonger;

    private Work(TwinOwner owner) {
        over = CompletableFuture.runAsync(() -> {
            Optional<Grant> grant = owner.acquire();
            granted.complete(grant.isPresent());
            grant.ifPresent(held -> work(owner, held));
            believesNoLonger = true;
            if (grant.isPresent()) {
                ending.join();
                owner.release();
            }
        });
    }

    static Work begin(TwinOwner owner) {
        return new Work(owner);
    }

    private void work(TwinOwner owner, Grant grant) {
        int count = 0;
        while (!ending.isDone() && owner.isValid()) {
            if (owner.work(grant.op(), PERIOD)) {
                count++;
                beliefs = count;
            }
        }
    }

    /** Returns when the lock was granted, or will never be. */
    void awaitGrant() throws InterruptedException, ExecutionException {
        granted.get();
    }

    /**
     * {@return a condition that is true once this owner has considered its hold valid throughout a period that began
     * after the first evaluation, or will never do so again} Whoever considers its own hold valid from before the first
     * evaluation until then overlaps with this owner, however the threads are scheduled.
     */
    BooleanSupplier wholePeriod() {
        return new BooleanSupplier() {
            private int first = -1;

            @Override
            public boolean getAsBoolean() {
                if (first < 0) {
                    first = beliefs;
                }
                // The next period may have begun before the first evaluation.
                return beliefs >= first + 2 || believesNoLonger;
            }
        };
    }

    /** Ends the work, and returns when the lock is released. */
    void end() throws InterruptedException, ExecutionException {
        ending.complete(true);
        over.get();
    }
}
