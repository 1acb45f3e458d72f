package dev.holdfast;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The wait queues of a client: one for each contended lock. */
final class WaitQueues {
    private final ConcurrentMap<LockKey, WaitQueue> queues = new ConcurrentHashMap<>();
    private final Engine engine;

    WaitQueues(Engine engine) {
        this.engine = engine;
    }

    /**
     * Adds an acquisition that found the lock busy to the end of the lock's queue, creating the queue if there is none.
     */
    void join(Acquisition acquisition, long leftMillis) {
        WaitQueue queue;
        do {
            queue = queues.computeIfAbsent(acquisition.lock(), lock -> new WaitQueue(engine, lock));
        } while (!queue.join(acquisition, leftMillis));
        if (engine.isClosing()) {
            queue.close();
        }
    }

    /**
     * Adds an acquisition that has made no attempt yet to the lock's queue. Returns false if there is no queue, or the
     * queue {@linkplain WaitQueue#joinUntried does not accept it}; the acquisition then makes an attempt of its own.
     */
    boolean joinUntried(Acquisition acquisition) {
        WaitQueue queue = queues.get(acquisition.lock());
        return queue != null && queue.joinUntried(acquisition);
    }

    /**
     * An owner releases the last level of its hold.
     *
     * @return false if the caller is to send the release now; true if the lock is handed off, or its release is
     *     deferred
     */
    boolean passOn(Hold from, Release release) {
        WaitQueue queue = queues.get(from.lock());
        return queue != null && queue.cohort().passOn(from, release);
    }

    /**
     * Reports how many clients received the message of a release. If there are others than this one, the lock has a
     * queue from now on, for as long as this client acquires it again and again: the budget of this client then ends
     * even if no owner waits here.
     */
    void received(LockKey lock, int clients) {
        if (queues.containsKey(lock) || clients <= (engine.channels().isConfirmed(lock.channel()) ? 1 : 0)) {
            return;
        }
        WaitQueue queue = queues.computeIfAbsent(lock, contended -> new WaitQueue(engine, contended));
        queue.cohort().received(clients);
        if (engine.isClosing()) {
            queue.close();
        } else {
            queue.retireUnlessWanted();
        }
    }

    /** {@return the handoff from this owner that may still be refused; null if there is none} */
    @Nullable
    Handoff unanswered(LockKey lock, long ownerId) {
        WaitQueue queue = queues.get(lock);
        return queue == null ? null : queue.cohort().unansweredFrom(ownerId);
    }

    /** An owner of this client no longer holds the lock, and has not released it. */
    void gone(Hold holder) {
        WaitQueue queue = queues.get(holder.lock());
        if (queue != null) {
            queue.cohort().gone(holder);
        }
    }

    /**
     * An owner of this client has lost its hold, whether or not the queue knows that hold as the holder: the lock may
     * be free.
     */
    void lost(Hold hold) {
        gone(hold);
        wake(hold.lock());
    }

    /** The lock may be free, and no message announces it. */
    void wake(LockKey lock) {
        WaitQueue queue = queues.get(lock);
        if (queue != null) {
            queue.head().wake();
        }
    }

    void remove(WaitQueue queue) {
        queues.remove(queue.lock(), queue);
    }

    @Nullable
    WaitQueue get(LockKey lock) {
        return queues.get(lock);
    }

    Collection<WaitQueue> all() {
        return queues.values();
    }

    int size() {
        return queues.size();
    }
}
