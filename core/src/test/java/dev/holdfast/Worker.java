package dev.holdfast;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A thread that runs one task after another: locks are owned by threads, so a test of several owners needs several. */
public final class Worker implements AutoCloseable {
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "test-worker");
        thread.setDaemon(true);
        return thread;
    });
    private final Thread thread = does(Thread::currentThread);

    /** A task without a result. */
    public interface Deed {
        void act() throws Exception;
    }

    public Thread thread() {
        return thread;
    }

    /** Runs it and returns when it is done, or throws what it threw. */
    public <T extends @Nullable Object> T does(Callable<T> call) {
        return Patience.get(begins(call));
    }

    /** Runs it and returns when it is done, or throws what it threw. */
    public void does(Deed deed) {
        Patience.get(begins(deed));
    }

    /** {@return a future of its outcome} */
    public CompletableFuture<@Nullable Void> begins(Deed deed) {
        return begins(() -> {
            deed.act();
            return null;
        });
    }

    /** {@return a future of its outcome} */
    public <T extends @Nullable Object> CompletableFuture<T> begins(Callable<T> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                outcome.complete(call.call());
            } catch (Throwable failure) {
                outcome.completeExceptionally(failure);
            }
        });
        return outcome;
    }

    /** Ends the thread, whatever it holds, and returns when it is dead. */
    public void dies() throws InterruptedException {
        close();
        thread.join(Patience.LIMIT.toMillis());
    }

    /** Ends the thread once it has run its tasks. */
    @Override
    public void close() {
        executor.shutdown();
    }
}
