package dev.holdfast;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.watchdog.Deadline;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Those of one client who wait for one lock, first come, first served. Only the first of them talks to Redis, so that a
 * contended lock costs by the number of clients, however many threads wait.
 *
 * <pre>
 *             wake: a message, the subscription's confirmation, the end of the holder's lease
 *   LISTENING ---------------------------------------------------------------------> TRYING
 *      ^  ^                                                                          |  |  |
 *      |  +---------------------- busy ----------------------------------------------+  |  |
 *      +------------------------- granted to the head; others wait ---------------------+  |
 *                                                                                          |
 *   RETIRED <------------------------ nobody waits any more -------------------------------+
 * </pre>
 *
 * <p>What keeps a wake-up from being lost:
 *
 * <ul>
 *   <li>The subscription's confirmation wakes, so the lock is tried again after it, and a release in between is seen. So
 *       does each confirmation after a lost connection.
 *   <li>Stored permits are drained before a try is sent, never after: a message or a confirmation that comes while the try is
 *       under way is still there when it turns out busy.
 *   <li>The queue listens, not the one who waits. Whoever leaves takes no permit along, and the next one needs no new try,
 *       except when the leaver's own try was under way: its answer will be thrown away.
 *   <li>The end of the holder's lease wakes as well, so a message that was never sent costs no more than the lease.
 * </ul>
 *
 * <p>After a grant to the head the next one does not try: the lock is known to be taken, by an owner of this very client,
 * whose release will be heard. So each wake-up costs one command.
 *
 * <p>A retired queue has left the registry and takes nobody in. Monitor: this; no call leaves it while it is held, other
 * than to the driver-free parts of this package.
 */
final class WaitQueue {

    private enum Phase {
        LISTENING,
        TRYING,
        RETIRED
    }

    private final Engine engine;
    private final LockKey lock;
    private final Deadline leaseEnd = new Deadline() {
        @Override
        protected void expired() {
            wake(null);
        }
    };

    // All below is guarded by this.
    private final Set<Acquisition> entries = new LinkedHashSet<>();
    private Phase phase = Phase.LISTENING;
    private @Nullable Acquisition trying;
    private @Nullable Subscription subscription;
    private @Nullable Waiter listening;
    private long busyNanos;

    WaitQueue(Engine engine, LockKey lock) {
        this.engine = engine;
        this.lock = lock;
    }

    LockKey lock() {
        return lock;
    }

    /** Takes in an acquisition that has just found the lock busy. False if the queue is retired. */
    boolean join(Acquisition acquisition, long leftMillis) {
        boolean first;
        synchronized (this) {
            if (phase == Phase.RETIRED) {
                return false;
            }
            first = entries.isEmpty();
            busyNanos = engine.now();
            add(acquisition);
        }
        if (first) {
            open(leftMillis);
        }
        leaveIfSettled(acquisition);
        return true;
    }

    /** Takes in an acquisition that has not tried yet. False if there is nobody to wait behind. */
    boolean joinBehind(Acquisition acquisition) {
        synchronized (this) {
            if (phase == Phase.RETIRED || entries.isEmpty()) {
                return false;
            }
            add(acquisition);
        }
        leaveIfSettled(acquisition);
        return true;
    }

    private void add(Acquisition acquisition) {
        entries.add(acquisition);
        acquisition.queuedIn(this);
    }

    /** Who was settled just before it was put in found no queue to leave. */
    private void leaveIfSettled(Acquisition acquisition) {
        if (!acquisition.isPending()) {
            leave(acquisition);
        }
    }

    private void open(long leftMillis) {
        Subscription opened;
        try {
            opened = engine.channels().subscribe(lock.channel());
        } catch (SubscriptionsClosedException e) {
            close();
            return;
        }
        synchronized (this) {
            subscription = phase == Phase.RETIRED ? null : opened;
        }
        if (subscription() == null) {
            opened.close();
            return;
        }
        listen(leftMillis);
        opened.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal != null) {
                failAll(engine.failures().subscriptionRefused(lock, refusal));
            }
        });
    }

    private synchronized @Nullable Subscription subscription() {
        return subscription;
    }

    /** Waits for a message, or for the end of the holder's lease. */
    private void listen(long leftMillis) {
        Waiter waiter;
        synchronized (this) {
            Subscription open = subscription;
            if (phase == Phase.RETIRED || open == null) {
                return;
            }
            phase = Phase.LISTENING;
            trying = null;
            waiter = open.acquire();
            listening = waiter;
            long leftNanos = TimeUnit.MILLISECONDS.toNanos(leftMillis);
            engine.deadlines().schedule(leaseEnd, engine.now() + Math.min(leftNanos, engine.longestListenNanos()));
        }
        waiter.onWakeup((wakeup, closed) -> {
            if (closed == null) {
                wake(waiter);
            }
        });
    }

    /**
     * Lets the head try.
     *
     * @param by the waiter that was woken, or null when it was not the subscription
     */
    private void wake(@Nullable Waiter by) {
        Acquisition head;
        Waiter left;
        Subscription open;
        synchronized (this) {
            open = subscription;
            if (phase != Phase.LISTENING || open == null || (by != null && by != listening)) {
                return;
            }
            left = by == null ? listening : null;
            head = tryFirst();
        }
        if (left != null) {
            open.leave(left);
        }
        open.drain();
        engine.attempt(head);
    }

    /** Under the monitor: the first in line is the one who tries now. */
    private Acquisition tryFirst() {
        Acquisition head = entries.iterator().next();
        phase = Phase.TRYING;
        trying = head;
        listening = null;
        engine.deadlines().cancel(leaseEnd);
        return head;
    }

    /** The try of this acquisition found the lock busy. */
    void busy(Acquisition tried, long leftMillis) {
        synchronized (this) {
            busyNanos = engine.now();
            if (trying != tried || phase != Phase.TRYING) {
                return;
            }
        }
        listen(leftMillis);
    }

    /** The try of this acquisition succeeded: others of its owner enter with it, and the next in line listens. */
    void granted(Acquisition winner, Hold hold) {
        List<Acquisition> ofSameOwner;
        boolean wasTrying;
        synchronized (this) {
            if (!entries.remove(winner)) {
                return;
            }
            busyNanos = engine.now();
            ofSameOwner = take(entry -> entry.ownerId() == winner.ownerId());
            wasTrying = trying == winner;
        }
        for (Acquisition entry : ofSameOwner) {
            entry.queuedIn(null);
            engine.attempt(entry);
        }
        if (!retireIfEmpty() && wasTrying) {
            listen(TimeUnit.NANOSECONDS.toMillis(hold.lease().remainingNanos()) + 1);
        }
    }

    /** This acquisition does not wait any more, and was not granted. */
    void leave(Acquisition gone) {
        Acquisition next = null;
        synchronized (this) {
            if (!entries.remove(gone)) {
                return;
            }
            if (trying == gone && !entries.isEmpty()) {
                next = tryFirst();
            }
        }
        if (next != null) {
            engine.attempt(next);
        } else {
            retireIfEmpty();
        }
    }

    /** The try of this acquisition was refused: so would all others be. */
    void failed(Acquisition tried, RuntimeException why) {
        synchronized (this) {
            if (trying != tried) {
                return;
            }
        }
        failAll(why);
    }

    /**
     * The try of this acquisition had no answer for the command timeout. That is one outage, told at once to all who have no
     * deadline; those who have one go on trying until then.
     */
    void silent(Acquisition tried, @Nullable Throwable cause) {
        List<Acquisition> told;
        Acquisition next = null;
        synchronized (this) {
            if (trying != tried) {
                return;
            }
            told = take(entry -> entry.waitsForEver() || entry.deadlineNanos() - engine.now() <= 0);
            if (!entries.isEmpty()) {
                next = tryFirst();
            }
        }
        for (Acquisition entry : told) {
            entry.failAlone(engine.failures().noAnswer(entry, cause));
        }
        if (next != null) {
            engine.attempt(next);
        } else {
            retireIfEmpty();
        }
    }

    private void failAll(RuntimeException why) {
        List<Acquisition> all;
        synchronized (this) {
            all = take(entry -> true);
        }
        retireIfEmpty();
        all.forEach(entry -> entry.failAlone(why));
    }

    /** The client is being closed. */
    void close() {
        List<Acquisition> all;
        synchronized (this) {
            all = take(entry -> true);
        }
        retireIfEmpty();
        all.forEach(Acquisition::close);
    }

    /** Somebody's wait is about to end: asks again if the last answer would be too old by then. */
    void refresh(long now) {
        if (now - busyNanos() > engine.commandTimeoutNanos() / 2) {
            wake(null);
        }
    }

    /** {@return when Redis last said that the lock is busy, or granted it to one of this queue} */
    synchronized long busyNanos() {
        return busyNanos;
    }

    synchronized int size() {
        return entries.size();
    }

    private List<Acquisition> take(Predicate<Acquisition> which) {
        List<Acquisition> taken = new ArrayList<>();
        for (Iterator<Acquisition> all = entries.iterator(); all.hasNext(); ) {
            Acquisition entry = all.next();
            if (which.test(entry)) {
                all.remove();
                taken.add(entry);
            }
        }
        return taken;
    }

    private boolean retireIfEmpty() {
        Subscription unused;
        Waiter left;
        synchronized (this) {
            if (!entries.isEmpty() || phase == Phase.RETIRED) {
                return phase == Phase.RETIRED;
            }
            phase = Phase.RETIRED;
            trying = null;
            left = listening;
            listening = null;
            unused = subscription;
            subscription = null;
            engine.deadlines().cancel(leaseEnd);
            engine.queues().remove(this);
        }
        if (unused != null) {
            if (left != null) {
                unused.leave(left);
            }
            unused.close();
        }
        return true;
    }
}
