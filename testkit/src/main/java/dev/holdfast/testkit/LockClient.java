package dev.holdfast.testkit;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * One client of a {@link LockFixture}, as {@link LockContract} sees it. Locks with the same name are the same lock, in
 * all clients.
 */
public interface LockClient extends AutoCloseable {
    /** {@return the lock with this name, owned by the threads that use it} */
    Lock lock(String name);

    /**
     * For {@link ConditionContract}. By default locks have no such conditions.
     *
     * @return the condition with this name of the lock with this name; the same one in all clients
     */
    default Condition condition(String name, String condition) {
        throw new UnsupportedOperationException("locks of this kind have no conditions");
    }

    /** {@return a new owner, not a thread, of the lock with this name} */
    AsyncOwner newOwner(String name);

    /** {@return whether the calling thread holds the lock with this name through this client} */
    boolean isHeldByCurrentThread(String name);

    /** {@return how many times the calling thread holds the lock with this name through this client} */
    int holdCount(String name);

    /**
     * Lets the contract wait until a waiter is queued before it takes the next step. By default every waiter counts as
     * queued.
     *
     * @return whether there is a waiter for the lock with this name in this client that its release would wake
     */
    default boolean isAwaited(String name) {
        return true;
    }

    /**
     * {@return how many owners of all clients wait for the lock with this name, in the order in which it will be granted to
     * them; -1 if it is not fair} By default no lock is.
     */
    default int waitersInOrder(String name) {
        return -1;
    }

    /**
     * {@return the state of locks left within this client, in words for a failure message: holds, waiters,
     * subscriptions; empty if there is none}
     */
    List<String> residue();

    @Override
    void close();
}
