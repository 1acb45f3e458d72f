package dev.holdfast.internal.view;

import dev.holdfast.ReleaseUnconfirmedException;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** What a thread runs between its lock and its unlock, or between another acquire and its release. */
final class LockedBody {
    private LockedBody() {}

    static void run(Lock lock, Runnable body) {
        run(locking(lock), body);
    }

    static <T> T call(Lock lock, Callable<T> body) throws Exception {
        return call(locking(lock), body);
    }

    private static Supplier<Runnable> locking(Lock lock) {
        Runnable unlock = lock::unlock;
        return () -> {
            lock.lock();
            return unlock;
        };
    }

    /** @param acquire returns the release of what it has acquired */
    static void run(Supplier<Runnable> acquire, Runnable body) {
        Runnable release = acquire.get();
        try {
            body.run();
        } catch (Throwable e) {
            releaseAfter(release, e);
            throw e;
        }
        release(release);
    }

    /** @param acquire returns the release of what it has acquired */
    static <T> T call(Supplier<Runnable> acquire, Callable<T> body) throws Exception {
        Runnable release = acquire.get();
        T result;
        try {
            result = body.call();
        } catch (Throwable e) {
            releaseAfter(release, e);
            throw e;
        }
        release(release);
        return result;
    }

    /** The body was protected to its end if only the release is unconfirmed. */
    private static void release(Runnable release) {
        try {
            release.run();
        } catch (ReleaseUnconfirmedException reported) {
            // The release in full was counted and published; the next release corrects the count of an inner level.
        }
    }

    private static void releaseAfter(Runnable release, Throwable failure) {
        try {
            release.run();
        } catch (RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }
}
