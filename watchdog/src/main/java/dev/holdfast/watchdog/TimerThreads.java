package dev.holdfast.watchdog;

import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.FastThreadLocalThread;

/**
 * Creates the threads on which the time of a client passes. While one of them is blocked, nothing falls due: no lease is
 * renewed, and no wait ends.
 */
public final class TimerThreads extends DefaultThreadFactory {
    private static final class TimerThread extends FastThreadLocalThread {
        TimerThread(ThreadGroup group, Runnable work, String name) {
            super(group, work, name);
        }
    }

    /**
     * A factory of daemon threads.
     *
     * @param name what their names begin with
     */
    public TimerThreads(String name) {
        super(name, true);
    }

    @Override
    protected Thread newThread(Runnable work, String name) {
        return new TimerThread(threadGroup, work, name);
    }

    /** {@return whether the calling thread is one of these, of whichever factory} */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof TimerThread;
    }
}
