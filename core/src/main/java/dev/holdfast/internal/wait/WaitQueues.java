package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.Successors;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wait queues of a client: one for each contended lock. Waiters for {@linkplain LockKey#equals one lock} stand in one
 * queue, of whichever kind it is to them, and the client has one turn at the lock for all of them.
 */
public final class WaitQueues {
    private final ConcurrentMap<LockKey, WaitQueue> queues = new ConcurrentHashMap<>();
    private final Session session;
    private final Homes homes;
    private final Trampoline trampoline;

    public WaitQueues(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
        this.trampoline = new Trampoline(session.callbacks().internalThreads());
    }

    Session session() {
        return session;
    }

    Home home(LockKey lock) {
        return homes.of(lock);
    }

    /** {@return starts the client's handoffs} */
    Trampoline trampoline() {
        return trampoline;
    }

    /** {@return the lock's queue, created if there is none; null if this client does not use the lock any more} */
    private @Nullable WaitQueue ofOrNew(LocalLock lock) {
        WaitQueue known = (WaitQueue) lock.successors();
        if (known != null) {
            return known;
        }
        WaitQueue fresh = new WaitQueue(this, lock);
        // Under its monitor: nobody retires the queue before it is in both places.
        synchronized (fresh) {
            Successors present = lock.successorsOr(fresh);
            if (present == fresh) {
                queues.put(lock.key(), fresh);
            }
            return (WaitQueue) present;
        }
    }

    /**
     * Adds an acquisition that found the lock busy to the end of the lock's queue, creating the queue if there is none.
     * A pending acquisition keeps its lock in use, so one that finds it unused has ended.
     */
    public void join(LocalLock lock, LockWaiter waiter, long leftMillis) {
        WaitQueue queue;
        do {
            queue = ofOrNew(lock);
            if (queue == null) {
                return;
            }
        } while (!queue.join(waiter, leftMillis));
        if (session.admission().isClosing()) {
            queue.close();
        }
    }

    /**
     * The message of a release was received by so many clients, and the lock has no queue. If there are others than
     * this one, it has a queue from now on, for as long as this client acquires it again and again: the budget of this
     * client then ends even if no owner waits here.
     */
    public void contended(LocalLock lock, int clients) {
        boolean listening = home(lock.key()).channels().isConfirmed(lock.key().channel());
        if (RemoteWaiters.others(clients, listening) == 0 || Enlists.waitBesideHolders(lock.key())) {
            return;
        }
        WaitQueue queue = ofOrNew(lock);
        if (queue == null) {
            return;
        }
        queue.cohort().received(clients);
        if (session.admission().isClosing()) {
            queue.close();
        } else {
            queue.retireUnlessWanted();
        }
    }

    void remove(WaitQueue queue) {
        queues.remove(queue.lock(), queue);
    }

    /** These locks have moved to other nodes. */
    public void moved(Predicate<LockKey> locks) {
        queues.values().stream().filter(queue -> locks.test(queue.lock())).forEach(WaitQueue::moved);
    }

    /** A connection to this node is about to accept calls; the repairs of the chains of handoffs come first. */
    public void repairChains(Home home, Consumer<Call> first) {
        queues.values().stream()
                .filter(queue -> queue.home() == home)
                .forEach(queue -> queue.cohort().unanswered().repair(home, first));
    }

    /** Grants are no longer expected: every waiter fails. */
    public void close() {
        queues.values().forEach(WaitQueue::close);
    }

    /** {@return the outcomes of the releases that were handed off and are unanswered} All of them are committed. */
    public Stream<CompletableFuture<?>> unansweredHandoffs() {
        queues.values().forEach(WaitQueue::commitHandoffs);
        return queues.values().stream().flatMap(queue -> queue.cohort().unanswered().outcomes().stream());
    }

    /** The connection is closed: no handoff will be answered any more. */
    public void abandonHandoffs() {
        queues.values().forEach(queue -> queue.cohort().abandon());
    }

    /** {@return the number of calls that wait} */
    public long waiters() {
        return queues.values().stream().mapToLong(WaitQueue::size).sum();
    }

    public int size() {
        return queues.size();
    }
}
