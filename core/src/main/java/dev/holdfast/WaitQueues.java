package dev.holdfast;

import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The queues of a client: one for each lock that somebody waits for. */
final class WaitQueues {
    private final ConcurrentMap<LockKey, WaitQueue> queues = new ConcurrentHashMap<>();
    private final Engine engine;

    WaitQueues(Engine engine) {
        this.engine = engine;
    }

    /** Puts an acquisition that found the lock busy at the end of the lock's queue, which is made if there is none. */
    void join(Acquisition acquisition, long leftMillis) {
        WaitQueue queue;
        do {
            queue = queues.computeIfAbsent(acquisition.lock(), lock -> new WaitQueue(engine, lock));
        } while (!queue.join(acquisition, leftMillis));
        if (engine.isClosing()) {
            queue.close();
        }
    }

    /** Lets an acquisition that has not tried yet take its turn among others. False if the lock is not contended here. */
    boolean joinUntried(Acquisition acquisition) {
        WaitQueue queue = queues.get(acquisition.lock());
        return queue != null && queue.joinUntried(acquisition);
    }

    /**
     * The owner gives a lock back.
     *
     * @return false if it is to be released now, by the caller; true if somebody here wants it
     */
    boolean passOn(Hold from, Release release) {
        WaitQueue queue = queues.get(from.lock());
        return queue != null && queue.cohort().passOn(from, release);
    }

    /**
     * Clients have received the message of a release. If there are others than this one, the lock has a queue from now on, for
     * as long as this client takes it again and again: nobody need wait here for its turn to have an end.
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

    /** {@return the handoff of this owner that may still be refused; null if none is} */
    @Nullable
    Handoff unanswered(LockKey lock, long ownerId) {
        WaitQueue queue = queues.get(lock);
        return queue == null ? null : queue.cohort().unansweredFrom(ownerId);
    }

    /** This client's holder of a lock is none any more, and has not released it. */
    void gone(Hold holder) {
        WaitQueue queue = queues.get(holder.lock());
        if (queue != null) {
            queue.cohort().gone(holder);
        }
    }

    /** An owner of this client has lost its hold, whether or not the queue knows it as the holder: the lock may be free. */
    void lost(Hold hold) {
        gone(hold);
        wake(hold.lock());
    }

    /** The lock may be free, and no message says so. */
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
