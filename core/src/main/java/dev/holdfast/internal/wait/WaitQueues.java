package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.hold.Successors;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Home;
import dev.holdfast.internal.session.Homes;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The wait queues of a client: one for each contended lock. Plain and fenced locks of one name are {@linkplain
 * LockKey#equals one lock}, so their waiters stand in one line, and the client has one turn at the lock for all of them.
 */
public final class WaitQueues implements Successors {
    private final ConcurrentMap<LockKey, WaitQueue> queues = new ConcurrentHashMap<>();
    private final Session session;
    private final Homes homes;
    private final ConcurrentMap<Home, EarlyStart> earlyStarts = new ConcurrentHashMap<>(1);
    private final Trampoline trampoline;

    public WaitQueues(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
        this.trampoline = new Trampoline(session.callbacks().ownThreads());
    }

    Session session() {
        return session;
    }

    Home home(LockKey lock) {
        return homes.of(lock);
    }

    /** {@return the rule of the handoffs on a Redis node for starting before the reply} */
    EarlyStart earlyStart(Home home) {
        return earlyStarts.computeIfAbsent(home, node -> new EarlyStart(session, node));
    }

    /** {@return starts the client's handoffs} */
    Trampoline trampoline() {
        return trampoline;
    }

    /**
     * Adds an acquisition that found the lock busy to the end of the lock's queue, creating the queue if there is none.
     */
    public void join(LockKey key, LockWaiter waiter, long leftMillis) {
        WaitQueue queue;
        do {
            queue = queues.computeIfAbsent(key, lock -> new WaitQueue(this, lock));
        } while (!queue.join(waiter, leftMillis));
        if (session.admission().isClosing()) {
            queue.close();
        }
    }

    /**
     * Adds an acquisition that has made no attempt yet to the lock's queue. Returns false if there is no queue, or the
     * queue {@linkplain WaitQueue#joinUntried does not accept it}; the acquisition then makes an attempt of its own.
     */
    public boolean joinUntried(LockKey lock, LockWaiter waiter) {
        WaitQueue queue = get(lock);
        return queue != null && queue.joinUntried(waiter);
    }

    @Override
    public boolean handOff(Hold from, Release release) {
        WaitQueue queue = get(from.lock());
        return queue != null && queue.cohort().handOff(from, release);
    }

    /**
     * Reports how many clients received the message of a release. If there are others than this one, the lock has a
     * queue from now on, for as long as this client acquires it again and again: the budget of this client then ends
     * even if no owner waits here.
     */
    @Override
    public void received(LockKey lock, int clients) {
        if (queues.containsKey(lock)
                || RemoteWaiters.others(clients, home(lock).channels().isConfirmed(lock.channel())) == 0) {
            return;
        }
        WaitQueue queue = queues.computeIfAbsent(lock, contended -> new WaitQueue(this, contended));
        queue.cohort().received(clients);
        if (session.admission().isClosing()) {
            queue.close();
        } else {
            queue.retireUnlessWanted();
        }
    }

    /** {@return the handoff from this owner that may still be refused; null if there is none} */
    @Nullable
    public Handoff unanswered(LockKey lock, long ownerId) {
        WaitQueue queue = get(lock);
        return queue == null ? null : queue.cohort().unansweredFrom(ownerId);
    }

    @Override
    public void gone(Hold holder) {
        WaitQueue queue = get(holder.lock());
        if (queue != null) {
            queue.cohort().gone(holder);
        }
    }

    @Override
    public void lost(Hold hold) {
        gone(hold);
        wake(hold.lock());
    }

    @Override
    public void wake(LockKey lock) {
        WaitQueue queue = get(lock);
        if (queue != null) {
            queue.head().wake();
        }
    }

    void remove(WaitQueue queue) {
        queues.remove(queue.lock(), queue);
    }

    @Nullable
    public WaitQueue get(LockKey lock) {
        return queues.get(lock);
    }

    /** A connection to this node is about to accept calls; the repairs of the chains of handoffs come first. */
    public void repairChains(Home home, Consumer<Call> first) {
        queues.values().stream().filter(queue -> queue.home() == home).forEach(queue -> queue.cohort()
                .repair(first));
    }

    /** Grants are no longer expected: every waiter fails. */
    public void close() {
        queues.values().forEach(WaitQueue::close);
    }

    /** {@return the outcomes of the releases that were handed off and are unanswered} */
    public Stream<CompletableFuture<?>> unansweredHandoffs() {
        return queues.values().stream().flatMap(queue -> queue.cohort().outcomes().stream());
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
