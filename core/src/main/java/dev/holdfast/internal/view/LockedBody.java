package dev.holdfast.internal.view;

import dev.holdfast.ReleaseUnconfirmedException;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;

/** What a thread runs between its lock and its unlock. */
final class LockedBody {
    private LockedBody() {}

    static void run(Lock lock, Runnable body) {
        lock.lock();
        try {
            body.run();
        } catch (Throwable e) {
            unlockAfter(lock, e);
            throw e;
        }
        unlock(lock);
    }

    static <T> T call(Lock lock, Callable<T> body) throws Exception {
        lock.lock();
        T result;
        try {
            result = body.call();
        } catch (Throwable e) {
            unlockAfter(lock, e);
            throw e;
        }
        unlock(lock);
        return result;
    }

    /** The body was protected to its end if only the release is unconfirmed. */
    private static void unlock(Lock lock) {
        try {
            lock.unlock();
        } catch (ReleaseUnconfirmedException reported) {
            // The release in full was counted and published; the next release corrects the count of an inner level.
        }
    }

    private static void unlockAfter(Lock lock, Throwable failure) {
        try {
            lock.unlock();
        } catch (RuntimeException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        }
    }
}
