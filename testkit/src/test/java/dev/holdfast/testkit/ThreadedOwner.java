package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.BiPredicate;

/** An owner that is implemented by a thread of its own, since a lock of the JDK has no other owners. */
final class ThreadedOwner implements AsyncOwner {
    private final Lock lock;
    private final boolean forgetsCancellation;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread created = new Thread(task, "twin-owner");
        created.setDaemon(true);
        return created;
    });

    ThreadedOwner(Lock lock, boolean forgetsCancellation) {
        this.lock = lock;
        this.forgetsCancellation = forgetsCancellation;
    }

    @Override
    public CompletableFuture<Void> lock() {
        return acquire(
                () -> {
                    lock.lockInterruptibly();
                    return true;
                },
                (outcome, locked) -> complete(outcome));
    }

    @Override
    public CompletableFuture<Boolean> tryLock(Duration wait) {
        return acquire(() -> lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS), CompletableFuture::complete);
    }

    @SuppressWarnings("NullAway") // null is the only value of Void
    private static boolean complete(CompletableFuture<Void> outcome) {
        return outcome.complete(null);
    }

    private <T> CompletableFuture<T> acquire(
            Callable<Boolean> way, BiPredicate<CompletableFuture<T>, Boolean> delivered) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        Future<?> attempt = thread.submit(() -> {
            try {
                boolean locked = way.call();
                if (!delivered.test(outcome, locked) && locked && !forgetsCancellation) {
                    lock.unlock();
                }
            } catch (Exception e) {
                outcome.completeExceptionally(e);
            }
        });
        CompletableFuture<T> unused = outcome.whenComplete((result, failure) -> {
            if (outcome.isCancelled() && !forgetsCancellation) {
                attempt.cancel(true);
            }
        });
        return outcome;
    }

    @Override
    public CompletableFuture<Void> unlock() {
        return CompletableFuture.runAsync(lock::unlock, thread);
    }

    void close() {
        thread.shutdownNow();
    }
}
