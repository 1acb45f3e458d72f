package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs one task after another, with one lock of one client: locks are owned by threads, so a test of
 * several owners needs several. Its tasks are submitted by one other thread.
 */
final class Actor implements AutoCloseable {
    private final Stage stage;
    private final LockClient client;
    private final String name;
    private final Lock lock;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread thread;
    /** Written by the actor's thread. */
    private volatile boolean acting;

    private volatile boolean closed;

    /** A task without a result. */
    interface Deed {
        void act() throws Exception;
    }

    Actor(Stage stage, LockClient client, String name) {
        this.stage = stage;
        this.client = client;
        this.name = name;
        this.lock = client.lock(name);
        this.thread = new Thread(this::runTasks, "contract-actor");
        thread.setDaemon(true);
        thread.start();
    }

    /** An interrupt that arrives after the task it was meant for has no effect. */
    private void runTasks() {
        while (!closed) {
            try {
                tasks.take().run();
            } catch (InterruptedException late) {
                // Either closed, or without effect.
            }
        }
    }

    Lock lock() {
        return lock;
    }

    /** {@return the condition with this name of the lock} */
    Condition condition(String of) {
        return client.condition(name, of);
    }

    boolean isHolder() {
        return does(() -> client.isHeldByCurrentThread(name));
    }

    /** {@link #isHolder} for a task of this thread. */
    boolean isHolderItself() {
        return client.isHeldByCurrentThread(name);
    }

    int holdCount() {
        return does(() -> client.holdCount(name));
    }

    /**
     * Runs the task and waits until it has ended; throws its RuntimeException, or an AssertionError with any other
     * cause.
     */
    <T extends @Nullable Object> T does(Callable<T> call) {
        return stage.outcomeOf(begins(call));
    }

    /**
     * Runs the task and waits until it has ended; throws its RuntimeException, or an AssertionError with any other
     * cause.
     */
    void does(Deed deed) {
        stage.outcomeOf(begins(deed));
    }

    /** {@return a future of the task's outcome} */
    CompletableFuture<@Nullable Void> begins(Deed deed) {
        return begins(() -> {
            deed.act();
            return null;
        });
    }

    /** {@return a future of the task's outcome} */
    <T extends @Nullable Object> CompletableFuture<T> begins(Callable<T> call) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        tasks.add(() -> {
            acting = true;
            T result;
            try {
                result = call.call();
            } catch (Throwable failure) {
                acting = false;
                outcome.completeExceptionally(failure);
                return;
            }
            acting = false;
            outcome.complete(result);
        });
        return outcome;
    }

    /** Starts a task that waits for the lock for a while, and returns once it waits, or has waited. */
    <T extends @Nullable Object> CompletableFuture<T> waitsBrieflyIn(Callable<T> call) {
        CompletableFuture<T> outcome = begins(call);
        stage.await().until(() -> outcome.isDone() || (acting && isWaiting() && client.isAwaited(name)));
        return outcome;
    }

    /** Starts a task that must wait for the lock, and returns once it waits. */
    <T extends @Nullable Object> CompletableFuture<T> waitsIn(Callable<T> call) {
        CompletableFuture<T> outcome = waitsBrieflyIn(call);
        assertThat(outcome).as("outcome of a call that must wait").isNotDone();
        return outcome;
    }

    /** Starts a task that must wait for the lock, and returns once it waits. */
    CompletableFuture<@Nullable Void> waitsIn(Deed deed) {
        return waitsIn(() -> {
            deed.act();
            return null;
        });
    }

    boolean isWaiting() {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            case NEW, RUNNABLE, TERMINATED -> false;
        };
    }

    void interrupt() {
        thread.interrupt();
    }

    /** The thread ends when it is next idle; a blocked one does not keep the JVM alive. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
