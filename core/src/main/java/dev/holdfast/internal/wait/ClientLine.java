package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.kind.Enlistment;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.kind.LeftFree;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This client's place in the line of the clients that wait for a lock. The line is kept in Redis, with the lock: the
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
 * <p>{@link LineChannels} has the channels and their messages. This class decides what a message means for the place, and
 * shares the monitor of its {@link WaitQueue}; what it decides under the monitor, it does outside.
 *
 * @see "ClientLineOrdersTest, LineGrantTest, GrantFaultTest"
 */
final class ClientLine implements LineChannels.Receiver {
    private final WaitQueue queue;

    // All below is guarded by the queue.
    private final LineChannels channels;

    /** What is IN LINE; null in every other state. */
    private LineGrant.@Nullable Place place;

    /** When the line was last opened as far as a message says, in the server's microseconds; 0 once that was considered. */
    private long openedMicros;

    /** When the lock was last left free for others as far as this client knows, in the server's microseconds; -1 if never. */
    private long leftFreeMicros = -1;

    /** When the lease ends over which this client was last to watch. */
    private long watchesUntilNanos;

    ClientLine(WaitQueue queue) {
        this.queue = queue;
        this.watchesUntilNanos = queue.session().now();
        this.channels = new LineChannels(queue, queue.local(), queue.session(), this);
    }

    // --- Under the monitor.

    /** {@return whether the head's attempt is to ask for a place} */
    boolean isReady() {
        return channels.areConfirmed() && queue.home().errors().mayJoinLines() && !queue.isHeldHere();
    }

    /** {@return whether the channels are open, though perhaps not confirmed yet} */
    boolean isListening() {
        return channels.isListening();
    }

    /**
     * The head's attempt found the lock busy.
     *
     * @return how long to wait at most until the next attempt, in milliseconds
     */
    long answered(Busy found) {
        Enlistment given = found.place();
        LockWaiter waiter = queue.head().trying();
        if (given == null || !given.isInLine() || waiter == null) {
            return found.leftMillis();
        }
        long commandTimeoutMillis =
                TimeUnit.NANOSECONDS.toMillis(queue.session().commandTimeoutNanos());
        LeaseRequest granted = new LeaseRequest(
                waiter.lease().watched(), Math.min(waiter.lease().millis(), commandTimeoutMillis));
        place = new LineGrant.Place(waiter, found, given.serverMicros(), granted);
        long untilMillis = (given.before() + 1) * commandTimeoutMillis;
        if (given.before() == 0) {
            untilMillis = Math.min(untilMillis, found.leftMillis());
        }
        long watchesMillis = TimeUnit.NANOSECONDS.toMillis(
                watchesUntilNanos - queue.session().now());
        return watchesMillis > 0 ? Math.min(untilMillis, watchesMillis) : untilMillis;
    }

    /** The same for an attempt whose waiter has left; the caller withdraws what it got. */
    long answeredTooLate(LockWaiter gone, Busy found) {
        if (found.isInLine()) {
            channels.noteLeft(gone, found.tenure());
        }
        return found.leftMillis();
    }

    /**
     * {@return whether the place is in a line that has ended, and no attempt is due} Once for each message: the server's
     * clock may have been set back since. A client whose place is from before the lock was left free stands back, and
     * attempts soon.
     */
    private boolean takeLineLost() {
        boolean isLost = place != null && place.isBefore(openedMicros) && !place.isBefore(leftFreeMicros);
        openedMicros = 0;
        return isLost;
    }

    private boolean isInLine(GrantMessage grant) {
        return place != null && place.isGrantedBy(grant);
    }

    /** An acquisition is about to be granted: with a tenure that is newer than any that its owner had in line. */
    void granting(LockWaiter winner) {
        if (place != null && place.waiter().ownerId() == winner.ownerId()) {
            place = null;
        }
        // It will be behind the others when it joins again.
        watchesUntilNanos = queue.session().now();
        channels.granting(winner.ownerId());
    }

    /**
     * This tenure of an owner is about to be released as an orphan, and with it every older one.
     *
     * @return whether one of these was in line
     */
    boolean releasing(long ownerId, long orphaned) {
        boolean ends = place != null && place.waiter().ownerId() == ownerId && place.tenure() <= orphaned;
        if (ends) {
            place = null;
        }
        return ends;
    }

    /** {@return the tenure in line, if it is of this acquisition, which no longer waits; 0 otherwise} */
    long leave(LockWaiter gone) {
        LineGrant.Place leaving = place;
        if (leaving == null || leaving.waiter() != gone) {
            return 0;
        }
        place = null;
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
                    || !queue.home().errors().mayJoinLines()
                    || queue.isRetired()
                    || queue.isHeldHere()) {
                return;
            }
            kind = enlists;
            home = queue.home();
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

    /** Without one of its channels the client joins no line; the next attempt that finds the lock busy opens both. */
    @Override
    public void refused(String error) {
        queue.home().errors().noteLineRefused(queue.lock(), error);
        leaveChannels();
    }

    /** A subscriber of the channel of the line counts as one that joins it, so the channels do not linger. */
    private void leaveChannels() {
        Runnable closing;
        LineGrant.Place inLine;
        synchronized (queue) {
            closing = channels.leave();
            inLine = place;
            place = null;
        }
        closing.run();
        if (inLine != null) {
            LockWaiter waiter = inLine.waiter();
            OrphanRelease.begin(queue.local(), waiter.lane().lock(), waiter.ownerId(), inLine.tenure());
        }
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
        boolean granted;
        boolean attempts;
        synchronized (queue) {
            grant = channels.takeKept();
            granted = grant != null && isInLine(grant);
            attempts = granted || (given == null && isReady()) || takeLineLost();
        }
        if (grant != null && !granted) {
            channels.decline(grant);
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
        }
        closing.run();
    }

    /** A waiter has joined whose first attempt found the lock busy, and listens: it asks for a place if it can. */
    void joined() {
        boolean attempts;
        synchronized (queue) {
            attempts = place == null && isReady();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    /** A release of this client was answered: the lock was granted to a client in line, or left free for others. */
    void released(Publication message) {
        LeftFree left = message.leftFree();
        if (left != null) {
            leftFree(left);
            return;
        }
        synchronized (queue) {
            queue.cohort().budget().passedOn(queue.home().errors().mayJoinLines());
        }
        queue.head().wake();
    }

    /** The line has ended with the lock's key. A release of this client says so twice, by its reply and its message. */
    @Override
    public void leftFree(LeftFree left) {
        synchronized (queue) {
            if (left.serverMicros() == leftFreeMicros) {
                return;
            }
            leftFreeMicros = left.serverMicros();
            boolean listens = queue.head().subscription().isListening();
            queue.cohort().budget().standBack(queue.session().now(), left.others(), listens);
        }
    }

    /** While an attempt is in flight, its reply shows whether the place is older. */
    @Override
    public void opened(long serverMicros) {
        boolean attempts;
        synchronized (queue) {
            openedMicros = Math.max(openedMicros, serverMicros);
            attempts = queue.head().trying() == null && takeLineLost();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    /** While an attempt is in flight, what is left of the lease counts when that is answered. */
    @Override
    public void watch(long leaseMillis) {
        synchronized (queue) {
            watchesUntilNanos = queue.session().now() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
            queue.head().expectBy(watchesUntilNanos);
        }
    }

    /** If both channels are confirmed now, and the head has attempted before, it asks for a place. */
    @Override
    public void confirmed() {
        boolean attempts;
        synchronized (queue) {
            attempts = isReady() && queue.head().subscription().isConfirmed();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    @Override
    public void granted(GrantMessage grant) {
        LineGrant.Place granted = null;
        GrantMessage unwanted = grant;
        synchronized (queue) {
            if (queue.isRetired()) {
                return;
            }
            if (queue.head().trying() != null) {
                unwanted = channels.keep(grant);
            } else if (isInLine(grant)) {
                granted = place;
            }
        }
        if (granted != null) {
            begin(new LineGrant(granted, grant), granted.waiter());
        } else if (unwanted != null) {
            channels.decline(unwanted);
        }
    }

    private void begin(LineGrant grant, LockWaiter to) {
        if (grant.isUsable() && queue.head().beginGrant(to)) {
            grant.begin();
        } else {
            queue.head().wake();
        }
    }
}
