package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.kind.Enlistment;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.kind.LeftFree;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * This client's places in the line of the clients that wait for a lock. The line is kept in Redis, with the lock: the
 * release of the lock grants it to the first client in line, and notifies that client alone. So a release costs as much
 * for a hundred clients as for two, and each client has its turn.
 *
 * <pre>
 *            an attempt found another client's hold        both channels confirmed: the head asks for a place
 *   OUTSIDE ----------------------------------------> READY ------------------------------------------> ASKING
 *                                                      ^ ^                                              |    |
 *                                                      | +---- the lock, or no place -------------------+    | a place
 *                                                      |                                                     v
 *                                                      +---- granted: the head starts, or attempts ------- IN LINE
 *                                                      +---- left free for others: the head backs off -------+
 *                                                      +---- its waiter has gone: withdrawn -----------------+
 * </pre>
 *
 * <p>The place belongs to the client; the entry in it names the owner and the tenure of the head's latest attempt. On the
 * message of a grant to that tenure the owner starts, as {@link LineGrant} describes, or the head attempts once more and
 * adopts the granted tenure, as an attempt adopts any older tenure of its owner. The head also attempts when a message
 * says that the lock is free.
 *
 * <p>A grant can be lost with its message or its client. Its lease is no longer than a command timeout, so the key of a
 * lost grant expires within that time, and nobody is notified of that. So the release that grants the lock has the next
 * client in line watch over it, which attempts when the lease has ended. The first in line also watches over the lease
 * that it has found, and attempts after a command timeout in any case. The others attempt after as many command timeouts
 * as there were places up to their own when they joined, in case the first ones are gone as well.
 *
 * <p>The line can be lost with the lock's key, which may expire. Clients that were active then form a new one, whose
 * releases grant to it alone: so the client that opens it says so, and each one with a place from before attempts.
 *
 * <p>Each tenure that is in line ends in one of these ways, so that no grant is left without a holder:
 *
 * <ul>
 *   <li>A newer attempt of the same client replaces it, or adopts what it was granted.
 *   <li>Its waiter stops waiting: the tenure is released as an orphan, whether or not it has been granted before. The
 *       next waiter in the queue takes over the place before that. The same goes for a newer orphan of its owner, whose
 *       release ends older tenures as well.
 *   <li>Another owner of this client releases the lock: the script gives up an older entry of the client.
 *   <li>A grant arrives for a tenure that is none of these: it is released as an orphan.
 * </ul>
 *
 * <p>Nothing of this is done while an owner of this client has the lock: its waiters stand in the queue of this client
 * alone.
 *
 * <p>That is so unless the queue is fair, which {@link LinePlaces} describes: then each owner has a place, and waits in the
 * line of all clients.
 *
 * <p>{@link LineChannels} has the channels and their messages. This class decides what a message means for the place, and
 * shares the monitor of its {@link WaitQueue}; what it decides under the monitor, it does outside.
 *
 * @see "ClientLineOrdersTest, FairLineOrdersTest, LineGrantTest, GrantFaultTest, FairLockTest"
 */
final class ClientLine implements LineChannels.Receiver {
    private final WaitQueue queue;
    private final Session session;

    // All below is guarded by the queue.
    private final LineChannels channels;

    private final LinePlaces places;
    private final Cohort cohort;

    /** When the lease ends over which this client was last to watch. */
    private long watchesUntilNanos;

    ClientLine(WaitQueue queue, LocalLock local, LinePlaces places, Cohort cohort) {
        this.queue = queue;
        this.session = queue.session();
        this.places = places;
        this.cohort = cohort;
        this.watchesUntilNanos = session.now();
        this.channels = new LineChannels(queue, local, session, this);
    }

    // --- Under the monitor.

    /** {@return whether an attempt of the head can ask for a place} */
    boolean isReady() {
        return channels.areConfirmed()
                && queue.home().errors().mayJoinLines()
                && (!cohort.isHeldHere() || places.areFair());
    }

    /** {@return whether there is no place, and one is going to be asked for} */
    boolean awaitsPlace() {
        return places.isWanted() && queue.home().errors().mayJoinLines() && !cohort.isHeldHere();
    }

    /** {@return whether the channels are open, though perhaps not confirmed yet} */
    boolean isListening() {
        return channels.isListening();
    }

    /**
     * The attempt of the head, this waiter, found the lock busy.
     *
     * @return how long to wait at most until the next attempt, in milliseconds
     */
    long answered(LockWaiter tried, Busy found) {
        Enlistment given = found.place();
        if (given == null || (!given.isInLine() && !places.areFair())) {
            return found.leftMillis();
        }
        long now = session.now();
        long commandTimeoutMillis = TimeUnit.NANOSECONDS.toMillis(session.commandTimeoutNanos());
        LeaseRequest granted =
                new LeaseRequest(tried.lease().watched(), Math.min(tried.lease().millis(), commandTimeoutMillis));
        long untilMillis = (given.before() + 1) * commandTimeoutMillis;
        if (given.before() == 0) {
            untilMillis = Math.min(untilMillis, found.leftMillis());
        }
        long untilNanos = now + TimeUnit.MILLISECONDS.toNanos(untilMillis);
        untilNanos = places.put(new LinePlaces.Place(tried, found, given.serverMicros(), granted, untilNanos, false));
        untilMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(untilNanos - now));
        long watchesMillis = TimeUnit.NANOSECONDS.toMillis(watchesUntilNanos - now);
        return watchesMillis > 0 ? Math.min(untilMillis, watchesMillis) : untilMillis;
    }

    /**
     * The same for an attempt beside that of the head; the caller withdraws what it got. In a fair queue a grant to its owner is
     * over then, or was none.
     */
    long answeredTooLate(LockWaiter tried, Busy found) {
        LinePlaces.Place place = places.areFair() ? places.of(tried.ownerId()) : null;
        if (place != null && place.isGranted()) {
            places.remove(tried.ownerId());
        }
        if (found.isInLine()) {
            channels.noteLeft(tried, found.tenure());
        }
        return found.leftMillis();
    }

    /** An acquisition is about to be granted: with a tenure that is newer than any that its owner had in line. */
    void granting(LockWaiter winner, Hold hold) {
        LinePlaces.Place place = places.remove(winner.ownerId());
        boolean isFromLine = channels.granting(winner.ownerId()) || (place != null && place.isGranted());
        if (!isFromLine && !cohort.isHolder(hold)) {
            // The lock was free, as far as is known.
            places.mayHaveEnded();
        }
        // It will be behind the others when it joins again.
        watchesUntilNanos = session.now();
    }

    /**
     * This tenure of an owner is about to be released as an orphan, and with it every older one.
     *
     * @return whether one of these was in line
     */
    boolean releasing(long ownerId, long orphaned) {
        LinePlaces.Place place = places.of(ownerId);
        boolean ends = place != null && place.tenure() <= orphaned;
        if (ends) {
            places.remove(ownerId);
        }
        return ends;
    }

    /** {@return the tenure in line, if it is of this acquisition, which no longer waits; 0 otherwise} */
    long leave(LockWaiter gone) {
        LinePlaces.Place leaving = places.of(gone.ownerId());
        if (leaving == null || leaving.waiter() != gone) {
            return 0;
        }
        places.remove(gone.ownerId());
        channels.noteLeft(gone, leaving.tenure());
        return leaving.tenure();
    }

    /** {@return what is to be closed, outside the monitor} */
    Runnable shut() {
        return channels.shut();
    }

    // --- Outside the monitor.

    /** This waiter has found that another client has the lock: joins the line, once its channels are confirmed. */
    void open(LockWaiter waiter) {
        Home home;
        int opening;
        Enlists kind;
        synchronized (queue) {
            if (channels.isOpened()
                    || !(waiter.lane().lock().kind() instanceof Enlists enlists)
                    || queue.isRetired()
                    || (cohort.isHeldHere() && !places.areFair())) {
                return;
            }
            kind = enlists;
            home = queue.home();
            if (!home.errors().mayJoinLines()) {
                return;
            }
            opening = channels.begin();
        }
        try {
            channels.subscribe(home, opening, kind);
            // Channels that linger are confirmed already.
            joined();
        } catch (SubscriptionsClosedException e) {
            queue.channelsClosed(home);
        }
    }

    /**
     * The same for a waiter of a fair queue that has made no attempt. Before the queue subscribes to the lock's own channel: a
     * client that listens to that alone counts as one that joins no line.
     */
    void openFairly(LockWaiter waiter) {
        if (isFair()) {
            open(waiter);
        }
    }

    private boolean isFair() {
        synchronized (queue) {
            return places.areFair();
        }
    }

    /** Without one of its channels the client joins no line; the next attempt that finds the lock busy opens both. */
    @Override
    public void refused(String error) {
        queue.home().errors().noteLineRefused(queue.lock(), error);
        leaveChannels();
    }

    /** A subscriber of the channel of the line counts as one that joins it, so the channels do not linger. */
    private void leaveChannels() {
        Runnable closing;
        List<LinePlaces.Place> inLine;
        synchronized (queue) {
            closing = channels.leave();
            inLine = places.takeAll();
        }
        closing.run();
        inLine.forEach(place -> release(place.waiter(), place.tenure()));
    }

    /** The attempt of the head, this waiter, found the lock busy, and the head listens again: it may have to attempt at once. */
    void afterBusy(LockWaiter tried, Busy found) {
        Enlistment given = found.place();
        if (given != null && given.refusal() != null) {
            queue.home().errors().noteLineRefused(queue.lock(), given.refusal());
        }
        if (channels.isOpened() && !queue.home().errors().mayJoinLines()) {
            leaveChannels();
        }
        GrantMessage grant;
        boolean attempts;
        synchronized (queue) {
            grant = channels.takeKept();
            attempts = (given == null && isReady()) || places.takeLost();
            attempts |= places.areFair() && isReady() && places.isWanted();
        }
        if (grant != null) {
            granted(grant);
        }
        if (attempts) {
            queue.head().wake();
        } else {
            open(tried);
        }
    }

    /**
     * The lock has moved, and its line with it: the channels are those of another node from now on. The head attempts,
     * and when that finds the lock busy, it opens them; the place is the one that it had.
     */
    void moved() {
        Runnable closing;
        synchronized (queue) {
            closing = channels.leave();
            places.mayHaveEnded();
        }
        closing.run();
    }

    /** A waiter has joined and listens, or one in a fair queue is without a place: it asks for one if it can. */
    void joined() {
        boolean attempts;
        synchronized (queue) {
            attempts = isReady() && places.isWanted();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    /** The same if the queue is fair: there may be an owner without a place. */
    void joinedFairly() {
        if (isFair()) {
            joined();
        }
    }

    /**
     * A waiter has left.
     *
     * @param inLine the tenure that it had in line; 0 if none
     * @param othersWait whether any other waits
     */
    void afterLeave(LockWaiter gone, long inLine, boolean othersWait) {
        if (isFair()) {
            if (inLine != 0) {
                release(gone, inLine);
            }
            // Another call of the same owner asks for a place of its own.
            joined();
        } else if (inLine != 0 && othersWait) {
            // Many may leave at the same time: one of those that stay takes over the place.
            session.after(CohortBudget.BACKOFF, () -> withdraw(gone, inLine));
        } else if (inLine != 0) {
            withdraw(gone, inLine);
        }
    }

    private void withdraw(LockWaiter gone, long inLine) {
        queue.head().wake();
        release(gone, inLine);
    }

    private void release(LockWaiter gone, long inLine) {
        OrphanRelease.begin(queue.local(), gone.lane().lock(), gone.ownerId(), inLine);
    }

    /** A release of this client was answered: the lock was granted to a client in line, or left free for others. */
    void released(Publication message) {
        LeftFree left = message.leftFree();
        if (left != null) {
            leftFree(left);
            return;
        }
        synchronized (queue) {
            cohort.budget().passedOn(queue.home().errors().mayJoinLines());
            boolean keepsPlaces = places.areFair() || Enlists.waitBesideHolders(queue.lock());
            if (keepsPlaces && !(isReady() && places.isWanted())) {
                return;
            }
        }
        queue.head().wake();
    }

    /** The line has ended with the lock's key. A release of this client says so twice, by its reply and its message. */
    @Override
    public void leftFree(LeftFree left) {
        synchronized (queue) {
            if (!places.leftFree(left.serverMicros())) {
                return;
            }
            boolean listens = queue.head().subscription().isListening();
            cohort.budget().standBack(session.now(), left.others(), listens);
        }
    }

    /** While an attempt is in flight, its reply shows whether the place is older. */
    @Override
    public void opened(long serverMicros) {
        boolean attempts;
        synchronized (queue) {
            places.opened(serverMicros);
            attempts = queue.head().trying() == null && places.takeLost();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    @Override
    public void closing() {
        queue.local().close(queue.session().now());
    }

    /** While an attempt is in flight, what is left of the lease counts when that is answered. */
    @Override
    public void watch(long leaseMillis) {
        synchronized (queue) {
            watchesUntilNanos = session.now() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
            queue.head().expectBy(watchesUntilNanos);
        }
    }

    /** If both channels are confirmed now, and the head has attempted before, it asks for a place. */
    @Override
    public void confirmed() {
        boolean attempts;
        synchronized (queue) {
            attempts = isReady() && queue.head().subscription().isConfirmed();
            places.mayHaveEnded();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    @Override
    public void granted(GrantMessage grant) {
        LinePlaces.Place granted = null;
        LockWaiter adopts = null;
        GrantMessage unwanted = grant;
        boolean isFair;
        synchronized (queue) {
            if (queue.isRetired()) {
                return;
            }
            isFair = places.areFair();
            if (mayBeOfAttempt(grant)) {
                unwanted = channels.keep(grant);
            } else {
                granted = places.noteGranted(grant);
                adopts = isFair ? queue.waiters().firstOf(grant.ownerId()) : null;
            }
        }
        if (granted != null) {
            begin(new LineGrant(granted, grant), granted.waiter(), isFair);
        } else if (adopts != null) {
            adopts.attempt();
        } else if (unwanted != null) {
            channels.decline(unwanted);
        }
    }

    /** {@return whether it may be to the tenure of the attempt in flight} */
    private boolean mayBeOfAttempt(GrantMessage grant) {
        LockWaiter trying = queue.head().trying();
        return trying != null && (!places.areFair() || trying.ownerId() == grant.ownerId());
    }

    private void begin(LineGrant grant, LockWaiter to, boolean isFair) {
        if (grant.isUsable() && queue.head().beginGrant(to)) {
            grant.begin();
        } else if (isFair) {
            to.attempt();
        } else {
            queue.head().wake();
        }
    }
}
