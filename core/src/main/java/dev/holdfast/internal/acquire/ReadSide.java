package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LocalLock;
import dev.holdfast.internal.hold.Successors;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.session.AcquireOrigin;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.LockWaiter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read side of one lock in one client: the groups of its readers, and those that are about to join one. The readers that wait
 * for a group to be granted are in its {@link ReadRequests}. Of a reader:
 *
 * <pre>
 *            the latest group is open, or has it invited before
 *   attempts ---------------------------------------------------> INVITED --- joined: its hold begins
 *    |    ^                                                        ^   |
 *    |    +---------------- the group is over ---------------------|---+
 *    |                                        a group is granted   |
 *    +--- no group admits it ---> WAITING -------------------------+
 * </pre>
 *
 * <p>However a reader ends, it is taken out of WAITING and INVITED by {@link #leave}, which its acquisition calls after its state
 * has changed, whatever that is: granted another hold of its owner, refused, failed, closed or abandoned. No attempt is needed for
 * that, and there may be none, since the lane of a reader that has ended may be retired. So each entry is made in one of two
 * orders: before the end of the reader, which then removes it; or after that, and whoever makes it finds that the reader is not
 * pending any more, and removes it. What is granted to all that wait enters only those that have not left yet. One whose
 * {@linkplain ReadSides#downgrade downgrade} invites it before it has begun leaves as well if it cannot begin.
 *
 * <p><b>Whether a writer waits</b> closes the open group: a grant says so, or a message on the channel of the line, or the reply to
 * an <em>ask</em> of the {@link WriterAsk}. A message can be faster than the reply to the attempt that was granted before it: the
 * message counts for each group whose attempt was sent before it came. While a writer of this client waits, no reader joins an
 * open group: it stays open, since the writer may leave.
 *
 * <p>Nothing is called under the monitor, but for the queries of a lease. What is to be begun, given up and notified is decided
 * under it, and done afterwards.
 *
 * @see "ReadGroupOrdersTest, ReadGrantOrdersTest, ReadBehindWriterOrdersTest, ReadSideTest, NestedReadTest"
 */
final class ReadSide extends LocalQueue {
    private static final Logger log = LoggerFactory.getLogger(ReadSide.class);

    private final ReadSides all;
    private final LockKey lock;
    private final @Nullable LockKey writeSide;
    private final ReadRequests requests;
    private final WriterAsk ask;

    // All below is guarded by this.

    /** Those that may join a group, and have not done so yet. */
    private final Map<Acquisition, ReadGroup> invitations = new HashMap<>();

    private final Set<ReadGroup> groups = new HashSet<>();

    /** The group that was granted last. */
    private @Nullable ReadGroup latest;

    private boolean retired;

    /** Whether a thread that waits for itself was logged. */
    private boolean warned;

    ReadSide(ReadSides all, LockKey lock) {
        this.all = all;
        this.lock = lock;
        this.writeSide = lock.otherSide();
        this.requests = new ReadRequests(this, all.acquisitions());
        this.ask = new WriterAsk(lock, session().now());
    }

    LockKey lock() {
        return lock;
    }

    Session session() {
        return all.acquisitions().session();
    }

    synchronized int groups() {
        return groups.size();
    }

    synchronized int waiters() {
        return requests.waiters();
    }

    /** {@return the writers of this client that wait, or did recently; null if there are none} */
    private @Nullable Successors writers() {
        return writeSide == null ? null : all.acquisitions().locks().successors(writeSide);
    }

    // --- Joining.

    /** {@return the group that admits this reader, which is invited to it; null if there is none} */
    @Nullable
    ReadGroup admit(Acquisition reader) {
        LocalLock local = reader.lane().local();
        boolean barred = local.isOtherSideWanted();
        boolean listens = local.knowsOfLine();
        ReadGroup group;
        boolean asks = false;
        boolean isOver;
        synchronized (this) {
            group = invitations.get(reader);
            isOver = group != null && !group.isHeld() && group.isOfDowngrade();
            if (group == null || !group.isHeld()) {
                group = isOver || barred || latest == null || !latest.isOpen() ? null : latest;
                asks = group != null && ask.isDue(session().now(), listens);
            }
            if (group != null) {
                invite(reader, group);
            }
        }
        if (isOver) {
            reader.failTooLate();
        }
        if (group != null && !reader.isPending()) {
            leave(reader);
            return null;
        }
        if (asks && group != null) {
            ask.send(group.hold().lane().home(), group::close);
        }
        return group;
    }

    private void invite(Acquisition reader, ReadGroup group) {
        invitations.put(reader, group);
        group.invite(reader);
    }

    /**
     * A thread that waits for a reader, while it has another one, may wait for itself: for a writer in line, which waits for the
     * first. That is logged, once for as long as the lock is in use.
     */
    void warnIfNested(Acquisition reader, Thread caller) {
        Hold own = null;
        synchronized (this) {
            if (!warned && requests.isWaiting(reader)) {
                own = groups.stream()
                        .map(group -> group.acquiredBy(caller))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
                warned = own != null;
            }
        }
        if (own != null) {
            log.warn(
                    "thread '{}' has waited {} ms to read, and may wait for itself: {} ms ago it acquired {}, for which a writer in"
                            + " line between the two waits. Each Lease is an owner of its own; nest runLocked(), callLocked() or"
                            + " lock() instead",
                    caller.getName(),
                    TimeUnit.NANOSECONDS.toMillis(session().now() - reader.startNanos()),
                    TimeUnit.NANOSECONDS.toMillis(session().now() - own.sinceNanos()),
                    own,
                    AcquireOrigin.ofWait().fromCaller());
        }
    }

    /** The reader has joined the group that it was invited to. Under the monitor. */
    void joined(Acquisition reader) {
        invitations.remove(reader);
    }

    /** {@return false if this is retired} */
    boolean await(Acquisition reader) {
        boolean barred = reader.lane().local().isOtherSideWanted();
        boolean admits;
        synchronized (this) {
            if (retired) {
                return false;
            }
            invitations.remove(reader); // of a group that is over
            admits = !barred && latest != null && latest.isOpen();
            if (!admits) {
                requests.add(reader);
            }
        }
        if (admits) {
            // It was granted since the attempt has looked for one.
            reader.attempt();
            return true;
        }
        reader.queuedIn(this);
        if (!reader.isPending()) {
            leave(reader);
        } else if (barred && !reader.waits() && reader.isKnownBusy(session().now())) {
            reader.refuse();
        } else {
            adjust();
        }
        return true;
    }

    /**
     * A reader has a hold that no other is to join, since writers were in line before.
     *
     * @return false if this is retired
     */
    boolean begin(Hold reader, Hold granted) {
        ReadGroup group = closed(granted, null);
        if (group != null) {
            group.begin(reader);
        }
        return group != null;
    }

    /**
     * The same for a reader that is about to attempt.
     *
     * @return false if this is retired
     */
    boolean invite(Acquisition reader, Hold granted) {
        return closed(granted, reader) != null;
    }

    private @Nullable ReadGroup closed(Hold granted, @Nullable Acquisition invited) {
        ReadGroup group = new ReadGroup(this, granted, true, true);
        synchronized (this) {
            if (retired) {
                return null;
            }
            groups.add(group);
            if (invited != null) {
                invite(invited, group);
            }
        }
        group.watch();
        return group;
    }

    /** Requests what is waited for and is not requested, and gives up what is not waited for. */
    void adjust() {
        boolean wanted;
        synchronized (this) {
            wanted = requests.isRequestWanted();
        }
        // Whoever is about to want one adjusts as well.
        boolean heldBack = !wanted || isBehindWriter();
        ReadRequests.Step step;
        boolean retires;
        synchronized (this) {
            step = requests.adjust(heldBack);
            retires = !retired && requests.areOver() && invitations.isEmpty() && groups.isEmpty();
            retired |= retires;
        }
        requests.perform(step);
        if (retires) {
            all.remove(this);
        }
    }

    /** {@return whether a writer of this client waits without a place in line} If so, this is notified of its place. */
    private boolean isBehindWriter() {
        Successors writers = writers();
        return writers != null && writers.awaitPlace(this::adjust);
    }

    /**
     * A request was granted: all that wait are invited.
     *
     * @return whether anybody does
     */
    boolean granted(PartAcquisition part) {
        Hold hold = part.granted();
        ReadGroup group = new ReadGroup(this, hold, hold.drawn() > 0, false);
        List<Acquisition> invited;
        ReadGroup former;
        synchronized (this) {
            invited = requests.granted(part);
            former = latest;
            if (!invited.isEmpty()) {
                groups.add(group);
                latest = group;
            }
            invited.forEach(reader -> invite(reader, group));
        }
        if (invited.isEmpty()) {
            return false;
        }
        if (former != null) {
            former.close();
        }
        group.watch();
        invited.forEach(LockWaiter::attempt);
        return true;
    }

    /** A group has ended, or is about to. */
    void ended(ReadGroup group) {
        synchronized (this) {
            groups.remove(group);
            if (latest == group) {
                latest = null;
            }
        }
        adjust();
    }

    // --- As the queue of the readers.

    @Override
    public void leave(LockWaiter gone) {
        ReadGroup invitedTo;
        boolean waited;
        synchronized (this) {
            waited = requests.remove(gone);
            invitedTo = invitations.remove(gone);
        }
        if (invitedTo != null && gone instanceof Acquisition reader) {
            invitedTo.uninvite(reader);
        }
        if (waited || invitedTo != null) {
            adjust();
        }
    }

    /**
     * Other acquisitions of the same owner re-enter the hold. None is about to wait: its attempt would be in the lane still, in which
     * that of the winner has just run.
     */
    @Override
    public void granted(LockWaiter winner, Hold hold) {
        List<Acquisition> ofSameOwner;
        synchronized (this) {
            ofSameOwner = requests.takeAllOf(winner.ownerId());
        }
        ofSameOwner.forEach(LockWaiter::attempt);
        adjust();
    }

    @Override
    public void refresh(long now) {
        List<PartAcquisition> present;
        synchronized (this) {
            present = requests.present();
        }
        present.forEach(PartAcquisition::refresh);
        Successors writers = present.isEmpty() ? writers() : null;
        if (writers != null) {
            writers.wake();
        }
    }

    @Override
    public long busyNanos() {
        List<PartAcquisition> present;
        long latestNanos;
        synchronized (this) {
            present = requests.present();
            latestNanos = requests.busyNanos();
        }
        for (PartAcquisition part : present) {
            latestNanos = Math.max(latestNanos, part.lastBusyNanos());
        }
        // Those that wait behind a writer know what that one knows.
        Successors writers = writers();
        return writers != null && writers.hasWaiters() ? Math.max(latestNanos, writers.busyNanos()) : latestNanos;
    }

    @Override
    public String toString() {
        return "readers of lock '" + lock + "'";
    }
}
