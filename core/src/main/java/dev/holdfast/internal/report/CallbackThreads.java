package dev.holdfast.internal.report;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A few threads of a client's own, started when there is a task and none is idle, and ended after {@link #IDLE_SECONDS}
 * without one. They depend on no pool that an application may have filled or shut down. A thread that blocks in a call of
 * this library, or on a future, is replaced for that time.
 */
final class CallbackThreads implements Executor, AutoCloseable {
    /** How many run at a time. */
    static final int THREADS = 4;

    private static final int MOST = 256;
    private static final long IDLE_SECONDS = 2;

    private final AtomicLong started = new AtomicLong();
    private final String name;
    private final ForkJoinPool threads;

    /** @param name what the names of the threads begin with */
    CallbackThreads(String name) {
        this.name = name;
        this.threads = new ForkJoinPool(
                THREADS,
                pool -> thread(pool, name + "-" + started.incrementAndGet()),
                null,
                true,
                0,
                MOST,
                1,
                pool -> true,
                IDLE_SECONDS,
                TimeUnit.SECONDS);
    }

    private static ForkJoinWorkerThread thread(ForkJoinPool pool, String name) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName(name);
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            Thread last = new Thread(null, task, name + "-" + started.incrementAndGet(), 0, false);
            last.setDaemon(true);
            last.start();
        }
    }

    /** Idle threads end; from now on, each task has a thread that ends with it. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
