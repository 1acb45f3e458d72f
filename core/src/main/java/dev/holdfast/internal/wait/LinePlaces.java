package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.Session;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The places that a client has in the line for a lock, as far as it knows: one of the client, in the name of the owner that
 * attempted last; or, while the queue is <em>fair</em>, one of each owner.
 *
 * <p>A queue is fair from the first waiter for a fair lock on, until it is empty. Then each owner, of whichever kind its lock
 * is, has a place of its own, also while an owner of this client has the lock. Of each owner:
 *
 * <pre>
 *            the channels are confirmed, and no owner before it asks      a place, or none to be had
 *   WITHOUT ---------------------------------------------------> ASKING -----------------------------> PLACED
 *    ^  ^                                                          |                                     |
 *    |  |                                                          | a grant by Redis, or by a message   |
 *    |  +-- busy, and it did not ask ------------------------------+ that came while it asked            |
 *    |                                                             +--------> starts, or attempts &lt;----+  granted
 *    |                                                                         (and leaves the queue)    |
 *    +--- the line has ended: it was left free, opened again, or the lock granted to an attempt; or ------+
 *         the channels were interrupted, so that a grant may have been missed
 * </pre>
 *
 * <ul>
 *   <li>One owner asks at a time: the head's attempt is that of the first owner WITHOUT a place, or, if all have one, that of the
 *       first in the queue. So after each event that may have ended the line all owners ask again, in their order; those whose
 *       places are still there keep them.
 *   <li>A grant to an owner that does not ask at the moment takes effect at once, whichever owner asks: it starts, or makes an
 *       attempt beside that of the head. One to the owner that asks is kept until the reply, and takes effect then.
 *   <li>A grant to an owner that waits, but of a tenure that it has no place for, is adopted by an attempt. It is the place that
 *       the owner had before the queue became fair, or before the line was thought to have ended.
 *   <li>Only the first in the queue attempts when time has passed. Since the line is lost as a whole, what that attempt finds
 *       concerns all: it is granted the lock, or opens a new line, or gives an older place.
 *   <li>An owner that leaves gives its place up at once; no other can use it.
 * </ul>
 *
 * <p>{@link ClientLine} decides when an attempt is made. Guarded by the {@link WaitQueue}.
 *
 * @see "FairLineOrdersTest, FairLockTest"
 */
final class LinePlaces {
    /**
     * An attempt that has joined the line.
     *
     * @param found the reply, which gave it a place
     * @param serverMicros the server's time of the reply
     * @param granted the lease that it is granted with
     * @param untilNanos when the next attempt is due, whatever is heard until then, by the monotonic clock
     * @param isGranted whether a message has granted it the lock
     */
    record Place(
            LockWaiter waiter,
            Busy found,
            long serverMicros,
            LeaseRequest granted,
            long untilNanos,
            boolean isGranted) {
        long tenure() {
            return found.tenure();
        }

        /** {@return whether this is the attempt to which the message grants the lock} */
        boolean isGrantedBy(GrantMessage message) {
            Session session = waiter.lane().registry().session();
            return message.isTo(session.owners().name(waiter.ownerId()), tenure());
        }

        private Place asGranted() {
            return new Place(waiter, found, serverMicros, granted, untilNanos, true);
        }
    }

    private final QueuedWaiters waiters;

    /** Mostly one: there can be thousands of these maps. */
    private final Map<Long, Place> byOwner = new HashMap<>(1);

    private boolean fair;

    /** Whose place the attempt of the head has asked for. */
    private Enlists.Unit asked = Enlists.Unit.CLIENT;

    /** When the line was last opened as far as a message says, in the server's microseconds; 0 once that was considered. */
    private long openedMicros;

    /** When the lock was last left free for others as far as this client knows, in the server's microseconds; -1 if never. */
    private long leftFreeMicros = -1;

    LinePlaces(QueuedWaiters waiters) {
        this.waiters = waiters;
    }

    // --- Whose they are.

    /** {@return whether this is a lock that is granted in the order of its owners} */
    static boolean isFair(LockKey lock) {
        return lock.kind() instanceof Enlists kind && kind.unit() == Enlists.Unit.OWNER;
    }

    /** {@return whether each owner in the queue has a place of its own, and the lock is not handed off} */
    boolean areFair() {
        return fair;
    }

    /**
     * This waiter is about to be added to the queue. If the queue becomes fair by it, its waiters ask for places of their own; a
     * grant to what they have had before is adopted.
     */
    void joining(LockWaiter waiter) {
        boolean wasFair = fair && !waiters.isEmpty();
        fair = wasFair || isFair(waiter.lane().lock());
        if (fair && !wasFair) {
            byOwner.clear();
        }
    }

    // --- Asking.

    /** {@return whose place an attempt, which is about to be sent, is to ask for} */
    Enlists.Unit ask() {
        asked = fair ? Enlists.Unit.OWNER : Enlists.Unit.CLIENT;
        return asked;
    }

    /** {@return whether one more place is to be asked for} */
    boolean isWanted() {
        return fair ? firstWithout() != null : byOwner.isEmpty();
    }

    /** {@return the first owner's waiter that has none; null if each has one} */
    @Nullable
    LockWaiter firstWithout() {
        for (Iterator<LockWaiter> firsts = waiters.firsts(); firsts.hasNext(); ) {
            LockWaiter waiter = firsts.next();
            if (!byOwner.containsKey(waiter.ownerId())) {
                return waiter;
            }
        }
        return null;
    }

    // --- The places.

    @Nullable
    Place of(long ownerId) {
        return byOwner.get(ownerId);
    }

    /**
     * The attempt of the head was given this place; or none, but in a fair queue it counts as having asked. If the queue has
     * become fair since the attempt was sent, the place is of no use, and the owner asks again.
     *
     * @return when the next attempt is due, whatever is heard until then: that is up to the first in the queue
     */
    long put(Place place) {
        if (!fair) {
            byOwner.clear();
        }
        if (!fair || asked == Enlists.Unit.OWNER) {
            byOwner.put(place.waiter.ownerId(), place);
        }
        return fair ? first(place).untilNanos : place.untilNanos;
    }

    /** {@return that of the first in the queue; this one if it has none} */
    private Place first(Place otherwise) {
        Iterator<LockWaiter> firsts = waiters.firsts();
        return firsts.hasNext() ? byOwner.getOrDefault(firsts.next().ownerId(), otherwise) : otherwise;
    }

    /** {@return the place to which the message grants the lock, which is noted; null if there is none} */
    @Nullable
    Place noteGranted(GrantMessage grant) {
        Place place = of(grant.ownerId());
        if (place == null || !place.isGrantedBy(grant)) {
            return null;
        }
        byOwner.put(grant.ownerId(), place.asGranted());
        return place;
    }

    @Nullable
    Place remove(long ownerId) {
        return byOwner.remove(ownerId);
    }

    void clear() {
        byOwner.clear();
    }

    /** {@return all places, of which there are none any more} */
    List<Place> takeAll() {
        List<Place> all = List.copyOf(byOwner.values());
        byOwner.clear();
        return all;
    }

    // --- The end of a line.

    /** All owners of a fair queue ask again: their places may have ended. A place of a client is asked about by its next attempt. */
    void mayHaveEnded() {
        if (fair) {
            byOwner.clear();
        }
    }

    /** {@return false if that is known} The lock was left free for others at that time of the server, and the line has ended. */
    boolean leftFree(long serverMicros) {
        if (serverMicros == leftFreeMicros) {
            return false;
        }
        leftFreeMicros = serverMicros;
        mayHaveEnded();
        return true;
    }

    /** A line was opened at that time of the server. */
    void opened(long serverMicros) {
        openedMicros = Math.max(openedMicros, serverMicros);
    }

    /**
     * {@return whether a place is in a line that has ended, and no attempt is due} Once for each message: the server's
     * clock may have been set back since. A client whose place is from before the lock was left free stands back, and
     * attempts soon.
     */
    boolean takeLost() {
        boolean isLost = false;
        for (Iterator<Place> all = byOwner.values().iterator(); all.hasNext(); ) {
            long serverMicros = all.next().serverMicros;
            if (serverMicros < openedMicros && serverMicros >= leftFreeMicros) {
                isLost = true;
                if (fair) {
                    all.remove();
                }
            }
        }
        openedMicros = 0;
        return isLost;
    }
}
