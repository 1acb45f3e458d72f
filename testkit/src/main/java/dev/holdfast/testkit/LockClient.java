package dev.holdfast.testkit;

import java.util.List;
import java.util.concurrent.locks.Lock;

/** One client of a {@link LockFixture}, as {@link LockContract} sees it. Locks of one name are one lock, in all clients. */
public interface LockClient extends AutoCloseable {
    /** {@return the lock of this name, owned by the threads that use it} */
    Lock lock(String name);

    /** {@return a new owner of the lock of this name that is no thread} */
    AsyncOwner newOwner(String name);

    /** {@return whether the calling thread holds the lock of this name through this client} */
    boolean isHeldByCurrentThread(String name);

    /** {@return how many times the calling thread holds the lock of this name through this client} */
    int holdCount(String name);

    /**
     * Tells the contract when a waiter has settled, so that what follows finds it waiting and not on its way there. The
     * default leaves that to chance.
     *
     * @return whether somebody waits for the lock of this name through this client, and would hear of its release
     */
    default boolean isAwaited(String name) {
        return true;
    }

    /**
     * {@return what is left of locks within this client, in words for a failure message: holds, waiters, subscriptions;
     * empty if nothing is}
     */
    List<String> residue();

    @Override
    void close();
}
