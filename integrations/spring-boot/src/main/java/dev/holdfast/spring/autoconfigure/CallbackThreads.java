package dev.holdfast.spring.autoconfigure;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.util.CustomizableThreadCreator;

/**
 * The threads that complete a client's futures and call its listeners. They are not those of the application, which may
 * all be waiting for a lock; and they see the classes of the application, which those of the common pool do not in an
 * executable jar.
 */
final class CallbackThreads implements AutoCloseable {
    private static final String PREFIX = "holdfast-";

    private final Executor executor;
    private final @Nullable ExecutorService pool;

    private CallbackThreads(Executor executor, @Nullable ExecutorService pool) {
        this.executor = executor;
        this.pool = pool;
    }

    /** {@return a virtual thread for each task} */
    static CallbackThreads virtual(ClassLoader classes) {
        SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor(PREFIX);
        threads.setVirtualThreads(true);
        threads.setTaskDecorator(task -> () -> {
            Thread.currentThread().setContextClassLoader(classes);
            task.run();
        });
        return new CallbackThreads(threads, null);
    }

    /** {@return as many threads as there are tasks at a time, each of which ends after an idle minute} */
    static CallbackThreads platform(ClassLoader classes) {
        CustomizableThreadCreator names = new CustomizableThreadCreator(PREFIX);
        names.setDaemon(true);
        ExecutorService pool = Executors.newCachedThreadPool(task -> {
            Thread thread = names.createThread(task);
            thread.setContextClassLoader(classes);
            return thread;
        });
        return new CallbackThreads(pool, pool);
    }

    Executor executor() {
        return executor;
    }

    /** Lets the tasks that were submitted run to their end. */
    @Override
    public void close() {
        if (pool != null) {
            pool.shutdown();
        }
    }
}
