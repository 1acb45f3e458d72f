package dev.holdfast;

import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import dev.holdfast.pubsub.Waiter;
import dev.holdfast.pubsub.Wakeup;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Those of one client who wait for one lock, first come, first served. Only the first of them talks to Redis, so that a
 * contended lock costs by the number of clients, however many threads wait; and while one of them has the lock, nobody
 * does, for it is passed on among them by {@linkplain Handoff handoff}.
 *
 * <pre>
 *             wake: a message, the subscription's confirmation, the end of the holder's lease
 *   LISTENING ---------------------------------------------------------------------> TRYING
 *    |     ^                                                                          |  |
 *    |     +---------------------- busy ----------------------------------------------+  |
 *    | woken, but nobody is in line                                granted to the head   |
 *    v                                                                                   v
 *   RESTING <----------------------------------------------------------------------------+
 *    |  \---- somebody is in line, or comes ---> LISTENING
 *    v
 *   RETIRED: nobody is in line, no owner of this client has the lock, and no handoff is without an answer
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
 *   <li>A wake-up that comes while nobody is in line is kept, for somebody may be on the way with an answer from before.
 *   <li>The end of the holder's lease wakes as well, so a message that was never sent costs no more than the lease.
 *   <li>While the <em>holder</em> is an owner of this client, whoever comes waits for it without a try. The holder leaves that
 *       place only by {@link Possession#handOn}, which passes the lock on, or else has it released with a message that is heard; or by
 *       {@link Possession#gone}, which has the head try.
 *   <li>The last one to leave retires the queue in the same step, so nobody joins one that has stopped to listen.
 * </ul>
 *
 * <p>After a grant to the head the next one does not try: the lock is known to be taken, by an owner of this very client.
 * So each wake-up costs one command.
 *
 * <p>A retired queue has left the registry and takes nobody in. Its monitor is held for a few instructions; nothing is sent
 * and nobody is told under it. Within it a lane's may be taken, never the other way round.
 */
final class WaitQueue {

    private enum Phase {
        RESTING,
        LISTENING,
        TRYING,
        RETIRED
    }

    /** How long an idle queue stays: in a contended lock, who has just had it is about to want it again. */
    private static final long LINGER_NANOS = Duration.ofMillis(10).toNanos();

    private final Engine engine;
    private final LockKey lock;
    private final Deadline lingerEnd = new Deadline() {
        @Override
        protected void expired() {
            lingered();
        }
    };
    // All below is guarded by this.
    private final Line line = new Line();
    private final Possession ours;
    private final Ear ear;
    private Phase phase = Phase.RESTING;
    private @Nullable Acquisition trying;
    private long busyNanos;
    private boolean opened;
    private boolean lingers;
    private boolean closed;

    WaitQueue(Engine engine, LockKey lock) {
        this.engine = engine;
        this.lock = lock;
        this.ours = new Possession(engine, this, line);
        this.ear = new Ear(engine.deadlines(), engine.longestListenNanos(), this::wakeHead);
    }

    LockKey lock() {
        return lock;
    }

    /** {@return what is known of the lock while it is this client's} */
    Possession ours() {
        return ours;
    }

    // --- Coming.

    /** Takes in an acquisition that has just found the lock busy. False if the queue is retired. */
    boolean join(Acquisition acquisition, long leftMillis) {
        boolean opens;
        synchronized (this) {
            if (phase == Phase.RETIRED) {
                return false;
            }
            opens = !opened;
            opened = true;
            busyNanos = engine.now();
            add(acquisition);
        }
        if (opens) {
            open();
        }
        listen(leftMillis, null);
        leaveIfSettled(acquisition);
        return true;
    }

    /** Takes in an acquisition that has not tried yet: it tries if it has nobody to wait for. False if the queue is retired. */
    boolean joinUntried(Acquisition acquisition) {
        boolean tries;
        boolean letsPass;
        synchronized (this) {
            if (phase == Phase.RETIRED) {
                return false;
            }
            letsPass = line.isEmpty() && ours.turn().standsBack();
            tries = line.isEmpty() && !letsPass && !ours.isHeldBefore(acquisition.ownerId());
            add(acquisition);
        }
        if (tries) {
            wakeHead();
        } else {
            listen(Long.MAX_VALUE, null);
        }
        if (letsPass) {
            engine.afterPatience(this::lookAgain);
        }
        leaveIfSettled(acquisition);
        return true;
    }

    private void add(Acquisition acquisition) {
        line.add(acquisition);
        acquisition.queuedIn(this);
    }

    /** Who was settled just before it was put in found no queue to leave. */
    private void leaveIfSettled(Acquisition acquisition) {
        if (!acquisition.isPending()) {
            leave(acquisition);
        }
    }

    private void open() {
        Subscription subscription;
        try {
            subscription = engine.channels().subscribe(lock.channel());
        } catch (SubscriptionsClosedException e) {
            close();
            return;
        }
        boolean late;
        synchronized (this) {
            late = phase == Phase.RETIRED;
            if (!late) {
                ear.open(subscription);
            }
        }
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            if (refusal != null) {
                failAll(entry -> engine.failures().subscriptionRefused(entry, refusal));
            }
        });
        if (late) {
            subscription.close();
        }
    }

    // --- Listening and trying.

    /**
     * Waits for a message, or for the end of the holder's lease.
     *
     * @param after who has tried, and did nothing to end the wait of the others; null when the queue was resting. If that is
     *     not so any more, nothing is done
     */
    private void listen(long leftMillis, @Nullable Acquisition after) {
        Waiter waiter;
        synchronized (this) {
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
        }
        waiter.onWakeup((wakeup, end) -> {
            if (end == null) {
                heard(waiter, wakeup == Wakeup.PERMIT);
            } else {
                close();
            }
        });
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
        synchronized (this) {
            open = ear.subscription();
            if (phase == Phase.LISTENING && ear.listensBy(waiter)) {
                Waiter none = ear.rest(waiter);
                phase = Phase.RESTING;
                if (!line.isEmpty()) {
                    unused = none;
                    letPass = byRelease && ours.turn().heard() == Turn.Heard.LET_PASS;
                    head = letPass ? null : tryFirst();
                }
            }
        }
        if (open != null && unused != null) {
            open.leave(unused);
        }
        if (letPass) {
            listen(Long.MAX_VALUE, null);
            engine.afterPatience(this::lookAgain);
        }
        if (open != null && head != null) {
            open.drain();
            engine.attempt(head);
        }
    }

    /** The lock may be free, whatever the channel said. */
    void wakeHead() {
        Acquisition head;
        Waiter unused;
        Subscription open;
        synchronized (this) {
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

    /** The others were let pass for a while; if one of them has the lock now, the try will say so. */
    private void lookAgain() {
        synchronized (this) {
            if (!ours.turn().standsBack()) {
                return;
            }
        }
        wakeHead();
    }

    /** Under the monitor: the first in line is the one who tries now. */
    private Acquisition tryFirst() {
        Acquisition head = line.firsts().next();
        phase = Phase.TRYING;
        trying = head;
        return head;
    }

    /** Somebody's wait is about to end: asks again if the last answer would be too old by then. */
    void refresh(long now) {
        if (now - busyNanos() > engine.commandTimeoutNanos() / 2) {
            wakeHead();
        }
    }

    // --- What a try came to.

    /** The try of this acquisition found the lock busy. */
    void busy(Acquisition tried, long leftMillis) {
        noteBusy();
        listen(leftMillis, tried);
    }

    /** Redis has proved that the lock is taken. */
    synchronized void noteBusy() {
        busyNanos = engine.now();
    }

    /** An acquisition of this queue or past it is about to be granted; whether it is still wanted will turn out. */
    void granting(Acquisition winner, Hold hold) {
        synchronized (this) {
            if (phase == Phase.RETIRED) {
                return;
            }
            line.remove(winner);
            ours.begin(hold);
            if (!hold.isHandedOn()) {
                busyNanos = engine.now();
            }
        }
        if (!hold.lease().isRunning()) {
            ours.gone(hold);
        }
    }

    /** It was granted: those of the same owner here enter with it, and if it was the head's try, the next one listens. */
    void granted(Acquisition winner, Hold hold) {
        List<Acquisition> ofSameOwner;
        synchronized (this) {
            ofSameOwner = line.takeAllOf(winner.ownerId(), trying);
        }
        letIn(ofSameOwner);
        listen(leftMillis(hold), winner);
    }

    private static long leftMillis(Hold hold) {
        return TimeUnit.NANOSECONDS.toMillis(hold.lease().remainingNanos()) + 1;
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
            told = line.take(entry -> entry.waitsForEver() || entry.deadlineNanos() - engine.now() <= 0);
            next = nextAfter(tried);
            leftover = retireIfDone();
        }
        for (Acquisition entry : told) {
            entry.failAlone(engine.failures().noAnswer(entry, cause));
        }
        goOn(leftover, next);
    }

    private void failAll(Function<Acquisition, RuntimeException> why) {
        takeAll().forEach(entry -> entry.failAlone(why.apply(entry)));
    }

    // --- Going.

    /** This acquisition does not wait any more, and was not granted. */
    void leave(Acquisition gone) {
        Ear.Leftover leftover;
        Acquisition next;
        synchronized (this) {
            line.remove(gone);
            next = nextAfter(gone);
            leftover = retireIfDone();
        }
        goOn(leftover, next);
    }

    /** The client is being closed. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        takeAll().forEach(Acquisition::close);
    }

    private List<Acquisition> takeAll() {
        List<Acquisition> all;
        Ear.Leftover leftover;
        synchronized (this) {
            all = line.take(entry -> true);
            leftover = retireIfDone();
        }
        goOn(leftover, null);
        return all;
    }

    /** Under the monitor: if the one who tries is this, the next one does; its own answer will be thrown away. */
    private @Nullable Acquisition nextAfter(Acquisition gone) {
        if (trying != gone) {
            return null;
        }
        trying = null;
        phase = Phase.RESTING;
        return line.isEmpty() ? null : tryFirst();
    }

    private void goOn(Ear.@Nullable Leftover leftover, @Nullable Acquisition next) {
        if (leftover != null) {
            leftover.close();
        }
        if (next != null) {
            engine.attempt(next);
        }
    }

    /**
     * Under the monitor: ends the queue if nobody waits and nothing is left to do, and not at once if it may linger.
     *
     * @return what is to be closed then, or null if it goes on
     */
    private Ear.@Nullable Leftover retireIfDone() {
        if (phase == Phase.RETIRED || !isDone()) {
            return null;
        }
        lingers = !closed && (lingers || engine.deadlines().schedule(lingerEnd, engine.now() + LINGER_NANOS));
        return lingers ? null : retire();
    }

    /** What kept the queue may have ended. */
    void retireUnlessWanted() {
        Ear.Leftover leftover;
        synchronized (this) {
            leftover = retireIfDone();
        }
        goOn(leftover, null);
    }

    private boolean isDone() {
        return line.isEmpty() && ours.isOver();
    }

    private void lingered() {
        Ear.Leftover leftover;
        synchronized (this) {
            lingers = false;
            leftover = phase != Phase.RETIRED && isDone() ? retire() : null;
        }
        goOn(leftover, null);
    }

    private Ear.Leftover retire() {
        phase = Phase.RETIRED;
        trying = null;
        engine.queues().remove(this);
        return ear.shut();
    }

    // --- Looking; the first two under the monitor.

    boolean isTrying(Acquisition acquisition) {
        return trying == acquisition;
    }

    boolean isRetired() {
        return phase == Phase.RETIRED;
    }

    /** {@return when Redis last said that the lock is busy, or granted it to one of this queue} */
    synchronized long busyNanos() {
        return busyNanos;
    }

    synchronized int size() {
        return line.size();
    }
}
