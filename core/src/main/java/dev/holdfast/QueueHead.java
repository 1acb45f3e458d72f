package dev.holdfast;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.pubsub.Wakeup;
import dev.holdfast.redis.NotExecutedException;
import org.jspecify.annotations.Nullable;

/**
 * What the first in line of a {@link WaitQueue} does for all who wait: listens, and tries when the lock may be free.
 *
 * <pre>
 *             wake: a message, the subscription's confirmation, the end of the holder's lease
 *   LISTENING ---------------------------------------------------------------------> TRYING
 *    |     ^                                                                          |  |
 *    |     +---------------------- busy ----------------------------------------------+  |
 *    | woken, but nobody is in line                                granted to the head   |
 *    v                                                                                   v
 *   RESTING <----------------------------------------------------------------------------+
 *       \---- somebody is in line, or comes ---> LISTENING, or TRYING if there is nobody to wait for
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
 *   <li>A wake-up that comes while nobody is in line is kept, for somebody may be on the way with an answer from before. So is
 *       the one that the last in line takes along.
 *   <li>The end of the holder's lease wakes as well, so a message that was never sent costs no more than the lease.
 * </ul>
 *
 * <p>Shares the monitor of its queue.
 */
final class QueueHead {

    private enum Phase {
        RESTING,
        LISTENING,
        TRYING
    }

    private final Engine engine;
    private final WaitQueue queue;
    // All below is guarded by the queue.
    private final WaiterLine line;
    private final CohortBudget budget;
    private final WakeUpSource wakeUps;
    private Phase phase = Phase.RESTING;
    private @Nullable Acquisition trying;
    private boolean opened;

    /** Whether one that was woken has left before its try was answered, and nobody was there to try instead. */
    private boolean probeOwed;

    QueueHead(Engine engine, WaitQueue queue, WaiterLine line, CohortBudget budget) {
        this.engine = engine;
        this.queue = queue;
        this.line = line;
        this.budget = budget;
        this.wakeUps = new WakeUpSource(engine.deadlines(), engine.longestListenNanos(), this::wake);
    }

    // --- Under the monitor.

    boolean isTrying(Acquisition acquisition) {
        return trying == acquisition;
    }

    /** {@return whether nobody is in line, or only the one who tries} */
    boolean nobodyElseWaits() {
        return line.isEmpty() || (trying != null && line.size() == 1);
    }

    @Nullable
    Acquisition trying() {
        return trying;
    }

    /** {@return whether it has subscribed, or is about to} */
    boolean isOpened() {
        return opened;
    }

    /** Listens no more for good. {@return what is to be closed, outside the monitor} */
    WakeUpSource.Leftover shut() {
        trying = null;
        phase = Phase.RESTING;
        return wakeUps.shut();
    }

    /** This client is about to release the lock: whoever is in line is woken even if the message cannot be received. */
    void expectMessage() {
        wakeUps.expectMessage();
    }

    /** The first in line is the one who tries now. */
    private Acquisition tryFirst() {
        Acquisition head = line.firsts().next();
        phase = Phase.TRYING;
        trying = head;
        probeOwed = false;
        return head;
    }

    // --- Without it.

    /** {@return whether it has a subscription} */
    boolean isListening() {
        synchronized (queue) {
            return wakeUps.subscription() != null;
        }
    }

    /** Subscribes, once. */
    void open() {
        synchronized (queue) {
            if (opened) {
                return;
            }
            opened = true;
        }
        Subscription subscription;
        try {
            subscription = engine.channels().subscribe(queue.lock().channel());
        } catch (SubscriptionsClosedException e) {
            queue.close();
            return;
        }
        boolean late;
        synchronized (queue) {
            late = queue.isRetired();
            if (!late) {
                wakeUps.open(subscription);
            }
        }
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal == null) {
                return;
            }
            subscriptionRefused();
            if (isNotExecuted(refusal)) {
                openLater();
            } else {
                queue.cannotListen(refusal);
            }
        });
        if (late) {
            subscription.close();
        }
    }

    private static boolean isNotExecuted(Throwable refusal) {
        Throwable reply = refusal.getCause();
        String error = reply == null ? null : reply.getMessage();
        return error != null && NotExecutedException.of(error) != null;
    }

    /** Redis does not take subscriptions at present: nobody who waits is failed for that. */
    private void openLater() {
        engine.outage()
                .standstill()
                .await(this::openAgain, engine.now() + engine.commandTimeoutNanos(), this::openAgain);
    }

    /** What was not heard meanwhile, a try finds out. If nobody waits any more, the next one who comes subscribes. */
    private void openAgain() {
        synchronized (queue) {
            if (queue.isRetired() || queue.isClosed() || line.isEmpty()) {
                return;
            }
        }
        open();
        wake();
    }

    /**
     * Waits for a message, or for the end of the holder's lease.
     *
     * @param after who has tried, and did nothing to end the wait of the others; null when the queue was resting. If that is
     *     not so any more, nothing is done
     */
    void listen(long leftMillis, @Nullable Acquisition after) {
        Waiter waiter;
        boolean owed;
        synchronized (queue) {
            if (after == null ? phase != Phase.RESTING : trying != after) {
                return;
            }
            phase = Phase.RESTING;
            trying = null;
            waiter = line.isEmpty() ? null : wakeUps.listen(leftMillis);
            if (waiter == null) {
                return;
            }
            phase = Phase.LISTENING;
            owed = probeOwed;
        }
        waiter.onWakeup((wakeup, end) -> {
            if (end == null) {
                heard(waiter, wakeup == Wakeup.PERMIT);
            } else {
                queue.close();
            }
        });
        if (owed) {
            wake();
        }
    }

    /**
     * The subscription has woken this waiter.
     *
     * @param byRelease by a message, and not by its confirmation
     */
    private void heard(Waiter waiter, boolean byRelease) {
        Acquisition head = null;
        Waiter unused = waiter;
        Subscription open;
        boolean backOff = false;
        synchronized (queue) {
            open = wakeUps.subscription();
            if (phase == Phase.LISTENING && wakeUps.listensBy(waiter)) {
                Waiter none = wakeUps.rest(waiter);
                phase = Phase.RESTING;
                if (!line.isEmpty()) {
                    unused = none;
                    backOff = byRelease ? budget.heard() == CohortBudget.Heard.SKIP : budget.backsOff();
                    head = backOff ? null : tryFirst();
                }
            }
        }
        if (open != null && unused != null) {
            open.leave(unused);
        }
        if (backOff) {
            backOff();
        }
        if (open != null && head != null) {
            open.drain();
            engine.attempt(head);
        }
    }

    /** The lock may be free, whatever the channel said. */
    void wake() {
        Acquisition head;
        Waiter unused;
        Subscription open;
        synchronized (queue) {
            open = wakeUps.subscription();
            if (open == null || phase == Phase.TRYING) {
                return;
            }
            unused = wakeUps.rest(null);
            phase = Phase.RESTING;
            head = line.isEmpty() ? null : tryFirst();
        }
        if (unused != null) {
            open.leave(unused);
        }
        if (head != null) {
            open.drain();
            engine.attempt(head);
        }
    }

    /** The server refused the subscription; the next one who comes asks for it again. */
    private void subscriptionRefused() {
        WakeUpSource.Leftover leftover;
        synchronized (queue) {
            leftover = wakeUps.shut();
            opened = false;
            if (phase == Phase.LISTENING) {
                phase = Phase.RESTING;
            }
        }
        leftover.close();
    }

    /** Lets others pass, but not for long. */
    void backOff() {
        listen(Long.MAX_VALUE, null);
        engine.after(CohortBudget.BACKOFF, this::retryAfterBackOff);
    }

    /** If one of them has the lock by now, the try will say so. */
    private void retryAfterBackOff() {
        synchronized (queue) {
            if (!budget.backsOff()) {
                return;
            }
        }
        wake();
    }

    /** If the one who tries is this, its answer will be thrown away, and the first in line tries instead. */
    void replaceProber(Acquisition gone) {
        Acquisition next = null;
        synchronized (queue) {
            if (trying == gone) {
                trying = null;
                phase = Phase.RESTING;
                probeOwed = line.isEmpty();
                next = probeOwed ? null : tryFirst();
            }
        }
        if (next != null) {
            engine.attempt(next);
        }
    }
}
