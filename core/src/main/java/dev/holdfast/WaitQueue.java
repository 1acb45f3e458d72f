package dev.holdfast;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.pubsub.Waiter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
 *   <li>The last one to leave retires the queue in the same step, so nobody joins one that has stopped to listen.
 * </ul>
 *
 * <p>After a grant to the head the next one does not try: the lock is known to be taken, by an owner of this very client,
 * whose release will be heard. So each wake-up costs one command.
 *
 * <p>A retired queue has left the registry and takes nobody in. Its monitor is held for a few instructions; nothing is sent
 * and nobody is told under it.
 */
final class WaitQueue {

    private enum Phase {
        LISTENING,
        TRYING,
        RETIRED
    }

    private final Engine engine;
    private final LockKey lock;
    // All below is guarded by this.
    private final Set<Acquisition> entries = new LinkedHashSet<>();
    private Phase phase = Phase.LISTENING;
    private @Nullable Acquisition trying;
    private final Ear ear;
    private long busyNanos;

    WaitQueue(Engine engine, LockKey lock) {
        this.engine = engine;
        this.lock = lock;
        this.ear = new Ear(engine.deadlines(), engine.longestListenNanos(), () -> wake(null));
    }

    LockKey lock() {
        return lock;
    }

    // --- Coming.

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
            if (phase != Phase.RETIRED) {
                ear.open(opened);
            }
        }
        listen(leftMillis);
        opened.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal != null) {
                failAll(entry -> engine.failures().subscriptionRefused(entry, refusal));
            }
        });
        if (isRetired()) {
            opened.close();
        }
    }

    private synchronized boolean isRetired() {
        return phase == Phase.RETIRED;
    }

    // --- Listening and trying.

    /** Waits for a message, or for the end of the holder's lease. */
    private void listen(long leftMillis) {
        Waiter waiter;
        synchronized (this) {
            waiter = ear.listen(leftMillis);
            if (waiter == null) {
                return;
            }
            phase = Phase.LISTENING;
            trying = null;
        }
        waiter.onWakeup((wakeup, closed) -> {
            if (closed == null) {
                wake(waiter);
            } else {
                close();
            }
        });
    }

    /**
     * Lets the head try.
     *
     * @param by the waiter that was woken, or null when it was not the subscription
     */
    private void wake(@Nullable Waiter by) {
        Acquisition head = null;
        Waiter unused = by;
        Subscription open;
        synchronized (this) {
            open = ear.subscription();
            if (open == null) {
                return;
            }
            if (phase == Phase.LISTENING && (by == null || ear.listensBy(by))) {
                unused = ear.rest(by);
                head = tryFirst();
            }
        }
        if (unused != null) {
            open.leave(unused);
        }
        if (head != null) {
            open.drain();
            engine.attempt(head);
        }
    }

    /** Under the monitor: the first in line is the one who tries now. */
    private Acquisition tryFirst() {
        Acquisition head = entries.iterator().next();
        phase = Phase.TRYING;
        trying = head;
        return head;
    }

    /** Somebody's wait is about to end: asks again if the last answer would be too old by then. */
    void refresh(long now) {
        if (now - busyNanos() > engine.commandTimeoutNanos() / 2) {
            wake(null);
        }
    }

    // --- What a try came to.

    /** The try of this acquisition found the lock busy. */
    void busy(Acquisition tried, long leftMillis) {
        synchronized (this) {
            busyNanos = engine.now();
            if (trying != tried) {
                return;
            }
        }
        listen(leftMillis);
    }

    /**
     * An acquisition was granted, of this queue or past it: those of the same owner here enter with it, and if it was the
     * head's, the next in line listens.
     */
    void granted(Acquisition winner, Hold hold) {
        List<Acquisition> ofSameOwner;
        Ear.Leftover leftover;
        boolean wasTrying;
        synchronized (this) {
            entries.remove(winner);
            busyNanos = engine.now();
            wasTrying = trying == winner;
            ofSameOwner = take(entry -> entry.ownerId() == winner.ownerId() && entry != trying);
            leftover = retireIfEmpty();
        }
        letIn(ofSameOwner);
        if (leftover != null) {
            leftover.close();
        } else if (wasTrying) {
            listen(TimeUnit.NANOSECONDS.toMillis(hold.lease().remainingNanos()) + 1);
        }
    }

    /** The owner has the lock: whoever of it waits here enters it again instead. */
    void letIn(long ownerId) {
        List<Acquisition> ofOwner;
        Ear.Leftover leftover;
        synchronized (this) {
            ofOwner = take(entry -> entry.ownerId() == ownerId && entry != trying);
            leftover = retireIfEmpty();
        }
        letIn(ofOwner);
        if (leftover != null) {
            leftover.close();
        }
    }

    private void letIn(List<Acquisition> ofOneOwner) {
        for (Acquisition entry : ofOneOwner) {
            entry.queuedIn(null);
            engine.attempt(entry);
        }
    }

    /** The try of this acquisition was refused: so would all others be. */
    void failed(Acquisition tried, RuntimeException why) {
        synchronized (this) {
            if (trying != tried) {
                return;
            }
        }
        failAll(entry -> entry == tried ? why : engine.failures().likewise(entry, why));
    }

    /**
     * The try of this acquisition had no answer for the command timeout. That is one outage, told at once to all who have no
     * deadline; those who have one go on trying until then.
     */
    void silent(Acquisition tried, @Nullable Throwable cause) {
        List<Acquisition> told;
        Ear.Leftover leftover;
        Acquisition next;
        synchronized (this) {
            if (trying != tried) {
                return;
            }
            told = take(entry -> entry.waitsForEver() || entry.deadlineNanos() - engine.now() <= 0);
            leftover = retireIfEmpty();
            next = leftover == null ? tryFirst() : null;
        }
        for (Acquisition entry : told) {
            entry.failAlone(engine.failures().noAnswer(entry, cause));
        }
        goOn(leftover, next);
    }

    private void failAll(Function<Acquisition, RuntimeException> why) {
        List<Acquisition> all = takeAll();
        all.forEach(entry -> entry.failAlone(why.apply(entry)));
    }

    // --- Going.

    /** This acquisition does not wait any more, and was not granted. */
    void leave(Acquisition gone) {
        Ear.Leftover leftover;
        Acquisition next;
        synchronized (this) {
            if (!entries.remove(gone)) {
                return;
            }
            leftover = retireIfEmpty();
            next = leftover == null && trying == gone ? tryFirst() : null;
        }
        goOn(leftover, next);
    }

    /** The client is being closed. */
    void close() {
        takeAll().forEach(Acquisition::close);
    }

    private List<Acquisition> takeAll() {
        List<Acquisition> all;
        Ear.Leftover leftover;
        synchronized (this) {
            all = take(entry -> true);
            leftover = retireIfEmpty();
        }
        goOn(leftover, null);
        return all;
    }

    private void goOn(Ear.@Nullable Leftover leftover, @Nullable Acquisition next) {
        if (leftover != null) {
            leftover.close();
        }
        if (next != null) {
            engine.attempt(next);
        }
    }

    /** Under the monitor. */
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

    /**
     * Under the monitor: ends the queue if nobody waits.
     *
     * @return what is to be closed then, or null if it goes on
     */
    private Ear.@Nullable Leftover retireIfEmpty() {
        if (!entries.isEmpty()) {
            return null;
        }
        phase = Phase.RETIRED;
        trying = null;
        engine.queues().remove(this);
        return ear.shut();
    }

    // --- Looking.

    /** {@return when Redis last said that the lock is busy, or granted it to one of this queue} */
    synchronized long busyNanos() {
        return busyNanos;
    }

    synchronized int size() {
        return entries.size();
    }
}
