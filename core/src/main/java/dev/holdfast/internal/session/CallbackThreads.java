package dev.holdfast.internal.session;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads of a client's own: started when there is a task and no thread is idle, reused, and ended after
 * {@link #IDLE_SECONDS} without a task. They run the tasks that the callback executor rejects, and depend on no pool
 * that an application may have filled or disabled. After {@link #close} tasks are still run, but an idle thread ends at
 * once.
 */
final class CallbackThreads implements Executor, AutoCloseable {
    private static final long IDLE_SECONDS = 2;
    private static final AtomicLong STARTED = new AtomicLong();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), CallbackThreads::thread);

    /** Does not inherit the inheritable thread-locals of the starting thread, which is often the I/O thread. */
    private static Thread thread(Runnable work) {
        Thread thread = new Thread(null, work, "lock-callback-" + STARTED.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        return thread;
    }

    /** Runs the task on a thread of its own; throws only if no thread can be started. */
    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    @Override
    public void close() {
        threads.setKeepAliveTime(0, TimeUnit.SECONDS);
    }
}
