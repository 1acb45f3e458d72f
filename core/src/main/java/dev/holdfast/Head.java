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
final class Head {

    private enum Phase {
        RESTING,
        LISTENING,
        TRYING
    }

    private final Engine engine;
    private final WaitQueue queue;
    // All below is guarded by the queue.
    private final Line line;
    private final Turn turn;
    private final Ear ear;
    private Phase phase = Phase.RESTING;
    private @Nullable Acquisition trying;
    private boolean opened;

    /** Whether one that was woken has left before its try was answered, and nobody was there to try instead. */
    private boolean owesTry;

    Head(Engine engine, WaitQueue queue, Line line, Turn turn) {
        this.engine = engine;
        this.queue = queue;
        this.line = line;
        this.turn = turn;
        this.ear = new Ear(engine.deadlines(), engine.longestListenNanos(), this::wake);
    }

    // --- Under the monitor.

    boolean isTrying(Acquisition acquisition) {
        return trying == acquisition;
    }

    /** {@return whether nobody is in line, or only the one who tries} */
    boolean triesForAll() {
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
    Ear.Leftover shut() {
        trying = null;
        phase = Phase.RESTING;
        return ear.shut();
    }

    /** This client is about to release the lock: whoever is in line is woken even if the message cannot be received. */
    void expectMessage() {
        ear.expectMessage();
    }

    /** The first in line is the one who tries now. */
    private Acquisition tryFirst() {
        Acquisition head = line.firsts().next();
        phase = Phase.TRYING;
        trying = head;
        owesTry = false;
        return head;
    }

    // --- Without it.

    /** {@return whether it has a subscription} */
    boolean isListening() {
        synchronized (queue) {
            return ear.subscription() != null;
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
                ear.open(subscription);
            }
        }
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal == null) {
                return;
            }
            deaf();
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
            waiter = line.isEmpty() ? null : ear.listen(leftMillis);
            if (waiter == null) {
                return;
            }
            phase = Phase.LISTENING;
            owed = owesTry;
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
        boolean letPass = false;
        synchronized (queue) {
            open = ear.subscription();
            if (phase == Phase.LISTENING && ear.listensBy(waiter)) {
                Waiter none = ear.rest(waiter);
                phase = Phase.RESTING;
                if (!line.isEmpty()) {
                    unused = none;
                    letPass = byRelease ? turn.heard() == Turn.Heard.LET_PASS : turn.standsBack();
                    head = letPass ? null : tryFirst();
                }
            }
        }
        if (open != null && unused != null) {
            open.leave(unused);
        }
        if (letPass) {
            letPass();
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
            open = ear.subscription();
            if (open == null || phase == Phase.TRYING) {
                return;
            }
            unused = ear.rest(null);
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
    private void deaf() {
        Ear.Leftover leftover;
        synchronized (queue) {
            leftover = ear.shut();
            opened = false;
            if (phase == Phase.LISTENING) {
                phase = Phase.RESTING;
            }
        }
        leftover.close();
    }

    /** Lets others pass, but not for long. */
    void letPass() {
        listen(Long.MAX_VALUE, null);
        engine.after(Turn.PATIENCE, this::lookAgain);
    }

    /** If one of them has the lock by now, the try will say so. */
    private void lookAgain() {
        synchronized (queue) {
            if (!turn.standsBack()) {
                return;
            }
        }
        wake();
    }

    /** If the one who tries is this, its answer will be thrown away, and the first in line tries instead. */
    void goOnWithout(Acquisition gone) {
        Acquisition next = null;
        synchronized (queue) {
            if (trying == gone) {
                trying = null;
                phase = Phase.RESTING;
                owesTry = line.isEmpty();
                next = owesTry ? null : tryFirst();
            }
        }
        if (next != null) {
            engine.attempt(next);
        }
    }
}
