package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.kind.LeftFree;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import dev.holdfast.pubsub.ChannelListener;
import dev.holdfast.pubsub.Subscription;
import dev.holdfast.pubsub.SubscriptionsClosedException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two channels of a client that waits in the line for a lock, and what becomes of their messages. On one channel a
 * release notifies this client alone that it has granted it the lock, or that it is the next one in line; on the other
 * one all clients in line are notified that the line was opened, or that the lock is about to be free for others.
 *
 * <pre>
 *            begin                     subscribe                  shut: the queue is retired
 *   CLOSED --------> SUBSCRIBING -------------------> LISTENING ----------------------------> SHUT
 *     ^                     |                            |
 *     +---------------------+---- leave: a channel or a place was refused, or the lock has moved
 * </pre>
 *
 * <p>Both channels are confirmed on each connection. A client that listens without joining the line would count as
 * one that joins: so a client that leaves unsubscribes at once, and one that may return soon only when its queue is
 * retired.
 *
 * <p>A message says to which tenure of which owner the lock was granted. The {@link Receiver} decides what it means:
 *
 * <ul>
 *   <li>It is to the tenure in line: the owner starts, or attempts.
 *   <li>An attempt is in flight: the message may be that of the attempt, whose reply is not here yet. It is kept until
 *       then, the last one only.
 *   <li>Nobody waits for that tenure: it is declined, which is to release it as an orphan. That has no effect on a
 *       tenure which a newer one has replaced.
 *   <li>An owner that has the lock, or is not of this client, is not granted anything: another program has published the
 *       message, and it is ignored.
 * </ul>
 *
 * <p><b>Threads and locks.</b> The receiver is called on the I/O thread of the subscriptions, or on the thread that
 * subscribes or closes them, and under no monitor. The state is guarded by the {@link WaitQueue}: each method says
 * whether its caller holds that monitor. Under it nothing is subscribed, closed or declined.
 *
 * @see "GrantFaultTest, ClusterLineTest"
 */
final class LineChannels {
    private static final Logger log = LoggerFactory.getLogger(LineChannels.class);

    /** The client's place in line, for which the messages are. */
    interface Receiver {
        /** The server has confirmed one of the channels. */
        void confirmed();

        /** The server has refused one of the channels. */
        void refused(String error);

        /** A release has granted the lock to an owner of this client, as far as the message says. */
        void granted(GrantMessage grant);

        /** The client is the first in line: the present lease ends after so long, unless it is renewed. */
        void watch(long leaseMillis);

        /** The lock is about to be free for others. */
        void leftFree(LeftFree left);

        /** A client waits for those that share the lock: they are to admit no more. */
        void closing();

        /** A client has opened a line, at that time of the server: there was none any more. */
        void opened(long serverMicros);
    }

    /** A tenure that was in line until its waiter left. */
    private record Left(LockKey kind, long ownerId, long tenure) {
        boolean isGrantedBy(GrantMessage grant) {
            return ownerId == grant.ownerId() && tenure == grant.tenure();
        }
    }

    private final Object monitor;
    private final LocalLock local;
    private final Session session;
    private final Receiver receiver;

    // All below is guarded by the monitor.

    /** Whether it has subscribed, or is about to. */
    private boolean opened;

    /** How often it has begun to subscribe: it may leave, and begin again, before a thread has done so. */
    private int openings;

    private boolean shut;

    /** The channel of grants to this client, and that of all clients in line; null unless LISTENING. */
    private @Nullable Subscription grants;

    private @Nullable Subscription all;

    /** The grant that arrived last while an attempt was in flight, which may be that of the attempt. */
    private @Nullable GrantMessage early;

    /** The last of these. */
    private @Nullable Left left;

    /** @param monitor that of the queue */
    LineChannels(Object monitor, LocalLock local, Session session, Receiver receiver) {
        this.monitor = monitor;
        this.local = local;
        this.session = session;
        this.receiver = receiver;
    }

    // --- The channels, under the monitor.

    boolean isOpened() {
        synchronized (monitor) {
            return opened;
        }
    }

    /** {@return whether the channels are open, though perhaps not confirmed yet} */
    boolean isListening() {
        return grants != null;
    }

    boolean areConfirmed() {
        return grants != null && grants.isConfirmed() && all != null && all.isConfirmed();
    }

    /** {@return the number with which the caller calls {@link #subscribe} next} */
    int begin() {
        opened = true;
        return ++openings;
    }

    /** {@return what is to be closed, outside the monitor} It can be opened again. */
    Runnable leave() {
        opened = false;
        return take(Subscription::closeAtOnce);
    }

    /** {@return what is to be closed, outside the monitor} */
    Runnable shut() {
        shut = true;
        return take(Subscription::close);
    }

    private Runnable take(Consumer<Subscription> closing) {
        List<Subscription> taken =
                Stream.of(grants, all).filter(Objects::nonNull).toList();
        grants = null;
        all = null;
        return () -> taken.forEach(closing);
    }

    // --- The channels, outside the monitor.

    /**
     * @param home that of the lock when it {@linkplain #begin began}
     * @param kind as which the lock is waited for
     * @throws SubscriptionsClosedException if the client is closed, or this home since the lock has moved to another
     */
    void subscribe(Home home, int opening, Enlists kind) {
        LockKey lock = local.key();
        String grantChannel = kind.grantChannel(lock, session.owners().clientId());
        Subscription ofLine = home.channels().subscribe(Enlists.lineChannel(lock), new ToAll());
        Subscription ofGrants = home.channels().subscribe(grantChannel, new Granted());
        boolean late;
        synchronized (monitor) {
            late = shut || !opened || openings != opening;
            if (!late) {
                all = ofLine;
                grants = ofGrants;
            }
        }
        if (late) {
            ofLine.closeAtOnce();
            ofGrants.closeAtOnce();
        } else {
            reportRefusal(ofLine);
            reportRefusal(ofGrants);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // reporting a refusal does not fail
    private void reportRefusal(Subscription subscription) {
        subscription.confirmed().whenComplete((confirmed, refusal) -> {
            Throwable reply = refusal == null ? null : refusal.getCause();
            if (reply != null && isUsed(subscription)) {
                receiver.refused(String.valueOf(reply.getMessage()));
            }
        });
    }

    private boolean isUsed(Subscription subscription) {
        synchronized (monitor) {
            return subscription == grants || subscription == all;
        }
    }

    // --- Grants, under the monitor.

    /**
     * An attempt is in flight: the message is kept until the reply.
     *
     * @return the one that was kept before, which nobody waits for; null if there was none
     */
    @Nullable
    GrantMessage keep(GrantMessage grant) {
        GrantMessage before = early;
        early = grant;
        return before;
    }

    /** {@return the grant that arrived while the attempt was in flight; null if there was none} */
    @Nullable
    GrantMessage takeKept() {
        GrantMessage taken = early;
        early = null;
        return taken;
    }

    /**
     * This owner is about to have the lock, with a tenure newer than any that a message has named so far.
     *
     * @return whether a message that was kept has granted it to this owner
     */
    boolean granting(long ownerId) {
        boolean granted = early != null && isOwn(early) && early.ownerId() == ownerId;
        if (granted) {
            early = null;
        }
        return granted;
    }

    /** The waiter of this tenure has left; the tenure may have been granted the lock, and its message be under way. */
    void noteLeft(LockWaiter gone, long tenure) {
        left = new Left(gone.lane().lock(), gone.ownerId(), tenure);
    }

    /** {@return whether the message names an owner of this client, and a tenure that the client has drawn} */
    private boolean isOwn(GrantMessage grant) {
        return grant.owner().equals(session.owners().name(grant.ownerId())) && session.hasDrawn(grant.tenure());
    }

    // --- Grants, outside the monitor.

    /**
     * A grant arrived for a tenure that nobody waits for, as far as is known here. What another program has published is
     * ignored: the line grants nothing to an owner that has the lock, or that is not of this client.
     */
    void decline(GrantMessage grant) {
        OwnerLane lane = local.lane(grant.ownerId());
        if (!isOwn(grant) || (lane != null && lane.held() != null)) {
            log.debug("Ignored the message of a grant that cannot be for this client: {}", grant);
            return;
        }
        LockKey kind;
        synchronized (monitor) {
            kind = left != null && left.isGrantedBy(grant) ? left.kind() : local.key();
        }
        OrphanRelease.begin(local, lane == null ? kind : lane.lock(), grant.ownerId(), grant.tenure());
    }

    /** The grants to this client. */
    private final class Granted implements ChannelListener {
        @Override
        public void confirmed() {
            receiver.confirmed();
        }

        @Override
        public void message(String message) {
            GrantMessage grant = GrantMessage.parse(message);
            long watchMillis = Enlists.readWatch(message);
            if (grant != null) {
                receiver.granted(grant);
            } else if (watchMillis >= 0) {
                receiver.watch(watchMillis);
            } else {
                log.debug("Ignored what is no message of a grant: {}", message);
            }
        }
    }

    /** The messages to all clients in line. */
    private final class ToAll implements ChannelListener {
        @Override
        public void confirmed() {
            receiver.confirmed();
        }

        @Override
        public void message(String message) {
            LeftFree left = LeftFree.parse(message);
            long openedMicros = Enlists.readOpened(message);
            if (left != null) {
                receiver.leftFree(left);
            } else if (openedMicros >= 0) {
                receiver.opened(openedMicros);
            } else if (Enlists.isClosing(message)) {
                receiver.closing();
            } else {
                log.debug("Ignored what is no message to a line: {}", message);
            }
        }
    }
}
