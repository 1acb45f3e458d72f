package dev.holdfast;

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
 *   OPEN ---- nobody is in line, no owner of this client has the lock, no handoff is without an answer,
 *             and that has been so for a moment ----------------------------------------------------> RETIRED
 * </pre>
 *
 * <p>How they hear that the lock is free is told in {@link QueueHead}, what happens while it is this client's in {@link
 * Cohort}. Between the two nobody is forgotten: while the <em>holder</em> is an owner of this client, whoever comes waits
 * for it without a try. The holder leaves that place only by {@link Cohort#passOn}, which passes the lock on or else has
 * it released with a message that is heard; or by {@link Cohort#gone}, which has the head try.
 *
 * <p>After a grant to the head the next one does not try: the lock is known to be taken, by an owner of this very client.
 * So each wake-up costs one command.
 *
 * <p>A retired queue has left the registry and takes nobody in. Its monitor is held for a few instructions; nothing is sent
 * and nobody is told under it. Within it a lane's may be taken, never the other way round.
 */
final class WaitQueue {

    /**
     * How long an idle queue stays: in a contended lock, who has just had it is about to want it again. If others listen, it
     * stays for as long as the lock is taken here again at once, since it knows how long the turn has lasted.
     */
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
    private final WaiterLine line = new WaiterLine();
    private final Cohort cohort;
    private final QueueHead head;
    private long busyNanos;

    /** Why the last try came to nothing; null if it did not. */
    private @Nullable Throwable trouble;

    private boolean lingers;
    private boolean closed;
    private boolean retired;

    WaitQueue(Engine engine, LockKey lock) {
        this.engine = engine;
        this.lock = lock;
        this.cohort = new Cohort(engine, this, line);
        this.head = new QueueHead(engine, this, line, cohort.budget());
    }

    LockKey lock() {
        return lock;
    }

    QueueHead head() {
        return head;
    }

    /** {@return what is known of the lock while it is this client's} */
    Cohort cohort() {
        return cohort;
    }

    // --- Coming.

    /** Takes in an acquisition that has just found the lock busy. False if the queue is retired. */
    boolean join(Acquisition acquisition, long leftMillis) {
        synchronized (this) {
            if (retired) {
                return false;
            }
            busyNanos = engine.now();
            add(acquisition);
        }
        head.open();
        if (cohort.onWaiterArrived()) {
            head.wake();
        } else {
            head.listen(leftMillis, null);
        }
        leaveIfSettled(acquisition);
        return true;
    }

    /**
     * Takes in an acquisition that has not tried yet: it tries if it has nobody to wait for.
     *
     * @return false if the queue is retired; or if it has been refused to listen, or lets others pass for longer than the wait, and
     *     the lock may be free
     */
    boolean joinUntried(Acquisition acquisition) {
        boolean opens;
        boolean tries;
        boolean backsOff;
        synchronized (this) {
            boolean free = line.isEmpty() && !cohort.isHeldByAnother(acquisition.ownerId());
            opens = !head.isOpened();
            backsOff = line.isEmpty() && cohort.budget().backsOff();
            if (backsOff && !acquisition.waitsLongerThan(CohortBudget.BACKOFF)) {
                return false;
            }
            if (retired || (free && opens && !backsOff)) {
                return false;
            }
            tries = free && !backsOff;
            add(acquisition);
        }
        if (opens) {
            head.open();
        }
        if (cohort.onWaiterArrived() || tries) {
            head.wake();
        } else if (backsOff) {
            head.backOff();
        } else {
            head.listen(Long.MAX_VALUE, null);
        }
        leaveIfSettled(acquisition);
        return true;
    }

    private void add(Acquisition acquisition) {
        line.add(acquisition);
        cohort.joined();
        acquisition.queuedIn(this);
    }

    /** Who was settled just before it was put in found no queue to leave. */
    private void leaveIfSettled(Acquisition acquisition) {
        if (!acquisition.isPending()) {
            leave(acquisition);
        }
    }

    // --- What a try came to.

    /** The try of this acquisition found the lock busy. */
    void busy(Acquisition tried, long leftMillis) {
        synchronized (this) {
            busyNanos = engine.now();
            trouble = null;
            if (!cohort.isHeldByAnother(tried.ownerId())) {
                cohort.budget().lost();
            }
        }
        head.listen(leftMillis, tried);
        if (cohort.onWaiterArrived()) {
            head.wake();
        }
    }

    /** A try came to nothing, and is made again. */
    synchronized void troubled(@Nullable Throwable cause) {
        trouble = cause;
    }

    synchronized @Nullable Throwable trouble() {
        return trouble;
    }

    /** Redis has proved that the lock is taken. */
    synchronized void noteBusy() {
        busyNanos = engine.now();
    }

    /** An acquisition of this queue or past it is about to be granted; whether it is still wanted will turn out. */
    void granting(Acquisition winner, Hold hold) {
        Hold displaced;
        synchronized (this) {
            if (retired) {
                return;
            }
            line.remove(winner);
            displaced = cohort.begin(hold);
            if (!hold.isHandedOn()) {
                busyNanos = engine.now();
            }
        }
        if (displaced != null) {
            displaced.lease().expireIfDue();
            displaced.lose(LossReason.TAKEN);
        }
        if (!hold.lease().isRunning()) {
            cohort.gone(hold);
        }
    }

    /**
     * It was granted: those of the same owner here enter with it, and if it was the head's try, the next one listens. If it has been
     * lost since, that woke nobody while the winner was still the one who tries.
     */
    void granted(Acquisition winner, Hold hold) {
        List<Acquisition> ofSameOwner;
        synchronized (this) {
            ofSameOwner = line.takeAllOf(winner.ownerId(), head.trying());
        }
        letIn(ofSameOwner);
        head.listen(leftMillis(hold), winner);
        if (hold.loss() != null) {
            head.wake();
        }
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

    /** Somebody's wait is about to end: asks again if the last answer would be too old by then. */
    void refresh(long now) {
        if (now - busyNanos() > engine.commandTimeoutNanos() / 2) {
            head.wake();
        }
    }

    /** The try of this acquisition was refused: so would all others be. */
    void failed(Acquisition tried, RuntimeException why) {
        synchronized (this) {
            if (!head.isTrying(tried)) {
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
        synchronized (this) {
            if (!head.isTrying(tried)) {
                return;
            }
            told = line.take(entry -> entry.waitsForEver() || entry.deadlineNanos() - engine.now() <= 0);
        }
        for (Acquisition entry : told) {
            entry.failAlone(engine.failures().noAnswer(entry, cause));
        }
        replaceProber(tried);
    }

    /** The server will not tell of releases. */
    void cannotListen(Throwable refusal) {
        failAll(entry -> engine.failures().subscriptionRefused(entry, refusal));
    }

    private void failAll(Function<Acquisition, RuntimeException> why) {
        takeAll().forEach(entry -> entry.failAlone(why.apply(entry)));
    }

    // --- Going.

    /** This acquisition does not wait any more, and was not granted. */
    void leave(Acquisition gone) {
        synchronized (this) {
            line.remove(gone);
        }
        replaceProber(gone);
    }

    /** The client is being closed. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        cohort.flushDeferred();
        takeAll().forEach(Acquisition::close);
    }

    private List<Acquisition> takeAll() {
        List<Acquisition> all;
        synchronized (this) {
            all = line.take(entry -> true);
        }
        retireUnlessWanted();
        return all;
    }

    private void replaceProber(Acquisition gone) {
        head.replaceProber(gone);
        retireUnlessWanted();
    }

    /** Ends the queue if nobody waits and nothing is left to do; not at once if it may linger. */
    void retireUnlessWanted() {
        WakeUpSource.Leftover leftover = null;
        synchronized (this) {
            if (isDone() && !lingers()) {
                leftover = retire();
            }
        }
        if (leftover != null) {
            leftover.close();
        }
    }

    private boolean isDone() {
        return !retired && line.isEmpty() && cohort.isOver();
    }

    private boolean lingers() {
        lingers = !closed && (lingers || engine.deadlines().schedule(lingerEnd, engine.now() + LINGER_NANOS));
        return lingers;
    }

    private void lingered() {
        WakeUpSource.Leftover leftover;
        synchronized (this) {
            lingers = false;
            boolean stays = cohort.isContended() && !cohort.budget().isOver(engine.now()) && lingers();
            leftover = isDone() && !stays ? retire() : null;
        }
        if (leftover != null) {
            leftover.close();
        }
    }

    private WakeUpSource.Leftover retire() {
        retired = true;
        engine.queues().remove(this);
        return head.shut();
    }

    // --- Looking.

    /** {@return whether the client is being closed} Under the monitor. */
    boolean isClosed() {
        return closed;
    }

    /** {@return whether it takes nobody in any more} Under the monitor. */
    boolean isRetired() {
        return retired;
    }

    /** {@return when Redis last said that the lock is busy, or granted it to one of this queue} */
    synchronized long busyNanos() {
        return busyNanos;
    }

    synchronized int size() {
        return line.size();
    }
}
