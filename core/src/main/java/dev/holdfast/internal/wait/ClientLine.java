package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.Enlistment;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.ChannelListener;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.Subscriptions;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 * says that the lock is free, when the holder's lease ends, and in any case after as many command timeouts as there were
 * places up to its own when it joined: a grant can be lost with its message, and the line with the lock's key. The lease
 * of a grant is no longer than the command timeout, so the key of a lost grant expires within that time.
 *
 * <p>Each tenure that is in line ends in one of these ways, so that no grant is left without a holder:
 *
 * <ul>
 *   <li>A newer attempt of the same client replaces it, or adopts what it was granted.
 *   <li>Its waiter stops waiting: the tenure is released as an orphan, whether or not it has been granted by then. The
 *       next waiter in line takes over the place before that. The same goes for a newer orphan of its owner, whose
 *       release ends older tenures as well.
 *   <li>Another owner of this client releases the lock: the script gives up an older entry of the client.
 *   <li>A grant arrives for a tenure that is none of these: it is released as an orphan.
 * </ul>
 *
 * <p>Nothing of this is done while an owner of this client has the lock: its waiters stand in the queue of this client
 * alone. Shares the monitor of its {@link WaitQueue}.
 */
final class ClientLine {
    private static final Logger log = LoggerFactory.getLogger(ClientLine.class);

    private final WaitQueue queue;

    // All below is guarded by the queue.

    /** The channel of grants to this client, and that of all clients in line; null while OUTSIDE. */
    private @Nullable Subscription grants;

    private @Nullable Subscription all;
    private boolean opened;

    /** What is IN LINE; null in every other state. */
    private LineGrant.@Nullable Place place;

    /** The grant that arrived last while an attempt was in flight, which may be that of the attempt. */
    private @Nullable GrantMessage early;

    /** What was in line until its waiter left, the last of these. */
    private LineGrant.@Nullable Place left;

    ClientLine(WaitQueue queue) {
        this.queue = queue;
    }

    private LockKey lock() {
        return queue.lock();
    }

    private Session session() {
        return queue.session();
    }

    private Subscriptions channels() {
        return queue.home().channels();
    }

    private String grantChannel() {
        return Enlists.grantChannel(lock(), session().owners().clientId());
    }

    // --- Under the monitor.

    /** {@return whether the head's attempt is to ask for a place} */
    boolean isReady() {
        return grants != null
                && grants.isConfirmed()
                && all != null
                && all.isConfirmed()
                && queue.home().errors().mayJoinLines()
                && !queue.isHeldHere();
    }

    /** {@return whether the channels are open, though perhaps not confirmed yet} */
    boolean isListening() {
        return grants != null;
    }

    /**
     * The head's attempt found the lock busy.
     *
     * @return how long to wait at most until the next attempt, in milliseconds
     */
    long answered(Busy found) {
        Enlistment given = found.place();
        if (given == null) {
            return found.leftMillis();
        }
        LockWaiter waiter = queue.head().trying();
        if (waiter == null || !given.isInLine()) {
            return found.leftMillis();
        }
        long commandTimeoutMillis = TimeUnit.NANOSECONDS.toMillis(session().commandTimeoutNanos());
        long grantLeaseNanos = Math.min(waiter.lease().nanos(), TimeUnit.MILLISECONDS.toNanos(commandTimeoutMillis));
        place = new LineGrant.Place(waiter, found, given.serverMicros(), grantLeaseNanos);
        return Math.min(found.leftMillis(), (given.before() + 1) * commandTimeoutMillis);
    }

    /** {@return the grant that arrived while the attempt was in flight; null if there was none} */
    private @Nullable GrantMessage takeEarly() {
        GrantMessage taken = early;
        early = null;
        return taken;
    }

    private boolean isInLine(GrantMessage grant) {
        return isTo(grant, place);
    }

    private boolean isTo(GrantMessage grant, LineGrant.@Nullable Place tenure) {
        return tenure != null
                && grant.isTo(session().owners().name(tenure.waiter().ownerId()), tenure.tenure());
    }

    /** {@return whether the message names an owner of this client, and a tenure that the client has drawn} */
    private boolean isOwn(GrantMessage grant) {
        return grant.owner().equals(session().owners().name(grant.ownerId()))
                && session().hasDrawn(grant.tenure());
    }

    /** An acquisition is about to be granted: with a tenure that is newer than any that its owner had in line. */
    void granting(LockWaiter winner) {
        if (place != null && place.waiter().ownerId() == winner.ownerId()) {
            place = null;
        }
        if (early != null && isOwn(early) && early.ownerId() == winner.ownerId()) {
            early = null;
        }
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
        left = leaving;
        return leaving.tenure();
    }

    /** {@return what is to be closed, outside the monitor} */
    Runnable shut() {
        return takeChannels(Subscription::close);
    }

    private Runnable takeChannels(Consumer<Subscription> closing) {
        List<Subscription> taken =
                Stream.of(grants, all).filter(Objects::nonNull).toList();
        grants = null;
        all = null;
        return () -> taken.forEach(closing);
    }

    // --- Outside the monitor.

    private boolean isOpened() {
        synchronized (queue) {
            return opened;
        }
    }

    /** Another client has the lock: joins the line, once its channels are confirmed. */
    void open() {
        synchronized (queue) {
            boolean joins = !opened
                    && lock().kind() instanceof Enlists
                    && queue.home().errors().mayJoinLines()
                    && !queue.isRetired()
                    && !queue.isHeldHere();
            if (!joins) {
                return;
            }
            opened = true;
        }
        try {
            Subscription ofLine = channels().subscribe(Enlists.lineChannel(lock()), new LeftFree());
            Subscription ofGrants = channels().subscribe(grantChannel(), new Granted());
            keep(ofLine, ofGrants);
        } catch (SubscriptionsClosedException e) {
            queue.close();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // noting a refusal does not fail
    private void keep(Subscription ofLine, Subscription ofGrants) {
        boolean late;
        synchronized (queue) {
            late = queue.isRetired();
            if (!late) {
                all = ofLine;
                grants = ofGrants;
            }
        }
        ofLine.confirmed().whenComplete((confirmed, refusal) -> noteRefusal(refusal));
        ofGrants.confirmed().whenComplete((confirmed, refusal) -> noteRefusal(refusal));
        if (late) {
            ofLine.close();
            ofGrants.close();
        }
        // Channels that linger are confirmed already.
        joined();
    }

    /** Without one of its channels the client joins no line; the next attempt that finds the lock busy opens both. */
    private void noteRefusal(@Nullable Throwable refusal) {
        Throwable reply = refusal == null ? null : refusal.getCause();
        if (reply != null) {
            queue.home().errors().noteLineRefused(lock(), String.valueOf(reply.getMessage()));
            leaveChannels();
        }
    }

    /** A subscriber of the channel of the line counts as one that joins it, so the channels do not linger. */
    private void leaveChannels() {
        Runnable closing;
        LineGrant.Place inLine;
        synchronized (queue) {
            closing = takeChannels(Subscription::closeAtOnce);
            opened = false;
            inLine = place;
            place = null;
        }
        closing.run();
        if (inLine != null) {
            LockWaiter waiter = inLine.waiter();
            OrphanRelease.begin(queue.local(), waiter.lane().lock(), waiter.ownerId(), inLine.tenure());
        }
    }

    /** The head's attempt found the lock busy, and the head listens again: it may have to attempt at once. */
    void afterBusy(Busy found) {
        Enlistment given = found.place();
        if (given != null && given.refusal() != null) {
            queue.home().errors().noteLineRefused(lock(), given.refusal());
        }
        if (isOpened() && !queue.home().errors().mayJoinLines()) {
            leaveChannels();
        }
        GrantMessage grant;
        boolean granted;
        boolean attempts;
        synchronized (queue) {
            grant = takeEarly();
            granted = grant != null && isInLine(grant);
            attempts = granted || (given == null && isReady());
        }
        if (grant != null && !granted) {
            decline(grant);
        }
        if (attempts) {
            queue.head().wake();
        } else {
            open();
        }
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
        boolean attempts;
        synchronized (queue) {
            attempts = message.next() == Publication.Next.GRANTED;
            if (attempts) {
                queue.cohort().budget().passedOn(queue.home().errors().mayJoinLines());
            } else {
                leftFree(message.others());
            }
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    /** The lock is free for this many others; the line has ended with its key. Under the monitor. */
    private void leftFree(int others) {
        boolean listens = queue.head().isListening();
        queue.cohort().budget().leftFree(session().now(), others, listens);
    }

    /**
     * A grant arrived for a tenure that nobody waits for, as far as is known here. What another program has published is
     * ignored: the line grants nothing to an owner that has the lock, or that is not of this client.
     */
    private void decline(GrantMessage grant) {
        OwnerLane lane = queue.local().lane(grant.ownerId());
        if (!isOwn(grant) || (lane != null && lane.held() != null)) {
            log.debug("Ignored the message of a grant that cannot be for this client: {}", grant);
            return;
        }
        LockKey kind;
        synchronized (queue) {
            kind = left != null && isTo(grant, left) ? left.waiter().lane().lock() : lock();
        }
        OrphanRelease.begin(queue.local(), lane == null ? kind : lane.lock(), grant.ownerId(), grant.tenure());
    }

    /** A channel is confirmed: if both are now, and the head has attempted before, it asks for a place. */
    private void confirmed() {
        boolean attempts;
        synchronized (queue) {
            attempts = isReady() && queue.head().isConfirmed();
        }
        if (attempts) {
            queue.head().wake();
        }
    }

    /** The grants to this client. */
    private final class Granted implements ChannelListener {
        @Override
        public void confirmed() {
            ClientLine.this.confirmed();
        }

        @Override
        public void message(String message) {
            GrantMessage grant = GrantMessage.parse(message);
            if (grant == null) {
                log.debug("Ignored what is no message of a grant: {}", message);
                return;
            }
            LineGrant.Place granted = null;
            GrantMessage unwanted = grant;
            synchronized (queue) {
                if (queue.isRetired()) {
                    return;
                }
                if (queue.head().trying() != null) {
                    unwanted = early;
                    early = grant;
                } else if (isInLine(grant)) {
                    granted = place;
                }
            }
            if (granted != null) {
                begin(new LineGrant(granted, grant), granted.waiter());
            } else if (unwanted != null) {
                decline(unwanted);
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

    /** The messages to all clients in line. */
    private final class LeftFree implements ChannelListener {
        @Override
        public void confirmed() {
            ClientLine.this.confirmed();
        }

        @Override
        public void message(String others) {
            int count = Enlists.readOthers(others);
            synchronized (queue) {
                if (count >= 0 && !queue.isRetired()) {
                    leftFree(count);
                }
            }
        }
    }
}
