package dev.holdfast.internal.acquire;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.hold.SharedHold;
import dev.holdfast.internal.session.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The readers of one client that have one read hold in Redis together.
 *
 * <pre>
 *           granted, and no writer waits                  a writer waits
 *   ---------------------------------------> OPEN -----------------------------> CLOSED
 *    \                                        |  joined by any reader             |  joined by those only that
 *     \-- granted, and a writer waits --------|---------------------------------->|  have waited for the grant
 *                                             |                                   |
 *                                             |   the last reader leaves: the hold is released
 *                                             +-----------> RELEASED <------------+
 *                                             |   Redis has it no more: each reader is lost
 *                                             +-------------> LOST <--------------+
 * </pre>
 *
 * <p>A reader that is invited counts as one that reads: the group is not released between the decision that a reader may join,
 * and the beginning of its hold. A group that has closed does not open again, and one that is released or lost is joined by
 * nobody: a reader that comes then attempts again.
 *
 * <p>The lease of a reader begins when that of the group was last confirmed, and does not end after it. Each renewal of a reader
 * renews the group, and so does the group's own hold, which is watched if the reader is that it was requested for, or any that
 * has joined since. So the group lasts for as long as the longest lease of its readers, and a reader whose thread has died is
 * lost at the end of its own. Its {@code maxHold} counts from there as well, and ends up to a third of the watchdog timeout early.
 * A group that is lost between the joining and the delivery of a reader loses that one, too: that is reported, although its
 * call has not returned.
 *
 * <p>No owner unlocks the group's own hold: it leaves its lane by the release of the last reader, or by its loss.
 *
 * <p>The state is guarded by the monitor of its {@link ReadSide}. What is decided under it is done outside.
 */
final class ReadGroup implements SharedHold<Hold> {
    private enum State {
        OPEN,
        CLOSED,
        RELEASED,
        LOST
    }

    private final ReadSide side;

    /** The hold in Redis, of an owner of its own. */
    private final Hold hold;

    /** Whether it was a write hold before: no other group can take its place for those that are invited. */
    private final boolean ofDowngrade;

    // All below is guarded by the side.
    private State state;
    private final Set<Acquisition> invited = new HashSet<>();

    /**
     * Each with the id of the thread whose blocking call acquired it; 0 if that is not known. A thread may refer to its lease,
     * which is not to be kept from being collected.
     */
    private final Map<Hold, Long> readers = new HashMap<>();

    ReadGroup(ReadSide side, Hold hold, boolean closed, boolean ofDowngrade) {
        this.side = side;
        this.hold = hold;
        this.ofDowngrade = ofDowngrade;
        this.state = closed ? State.CLOSED : State.OPEN;
    }

    @Override
    public Hold hold() {
        return hold;
    }

    boolean isOfDowngrade() {
        return ofDowngrade;
    }

    // --- Under the monitor.

    /** {@return whether readers join it that have not waited for its grant} */
    boolean isOpen() {
        return state == State.OPEN && hold.isValid() && !hold.lane().local().isClosedSince(hold.sinceNanos());
    }

    /** {@return whether readers that are invited can join it} */
    boolean isHeld() {
        return (state == State.OPEN || state == State.CLOSED) && hold.lease().isRunning();
    }

    void invite(Acquisition reader) {
        invited.add(reader);
    }

    /** {@return what this thread has acquired, and nobody has released; null if there is nothing} */
    @Nullable
    Hold acquiredBy(Thread caller) {
        for (Map.Entry<Hold, Long> reader : readers.entrySet()) {
            if (reader.getValue() == caller.getId()) {
                return reader.getKey();
            }
        }
        return null;
    }

    private boolean isEmpty() {
        return invited.isEmpty() && readers.isEmpty();
    }

    /** {@return whether it is to be released now: nobody reads, and nobody is about to} */
    private boolean endIfEmpty() {
        boolean ends = isEmpty() && (state == State.OPEN || state == State.CLOSED);
        if (ends) {
            state = State.RELEASED;
        }
        return ends;
    }

    // --- Outside the monitor.

    /** {@return the hold of an invited reader, which is kept; null if the group is over} */
    @Nullable
    Hold join(OwnerLane lane, Acquisition reader) {
        long now = side.session().now();
        Hold joined = new Hold(lane, hold.tenure(), now, reader, false);
        joined.share(this);
        joined.continues(hold);
        // Before it is known here: a loss of the group may lose it from then on.
        keep(joined, hold, reader);
        boolean isHeld;
        synchronized (side) {
            isHeld = isHeld() && invited.remove(reader);
            if (isHeld) {
                readers.put(joined, reader.callerId());
                side.joined(reader);
            }
        }
        if (!isHeld) {
            joined.leaveNewest();
            joined.lease().end();
            uninvite(reader);
            return null;
        }
        if (reader.lease().watched()) {
            hold.lease().watch(true);
        }
        return joined;
    }

    /**
     * {@return whether the lease of this reader lasts long enough without another command, if its hold is a part of this one} An
     * explicit one counts from the latest confirmation, unless the call began later; if that is long ago, too little is left of it.
     * A watched one is renewed: what is left need not be more than what a grant from the line begins with at least, for a lock of
     * any kind.
     */
    static boolean covers(Hold whole, Acquisition reader) {
        LeaseRequest lease = reader.lease();
        Session session = reader.session();
        long fullNanos = lease.watched() ? Math.min(lease.nanos(), session.commandTimeoutNanos()) : lease.nanos();
        long enoughNanos = session.now() + fullNanos / 2;
        long untilNanos = lease.watched()
                ? enoughNanos
                : whole.lane().registry().validUntilNanos(fromNanos(whole, reader), lease);
        return whole.isValid() && untilNanos - enoughNanos >= 0 && whole.lease().validUntilNanos() - untilNanos >= 0;
    }

    private static long fromNanos(Hold whole, Acquisition reader) {
        long confirmedNanos = whole.lease().lastConfirmedNanos();
        return !reader.lease().watched() && reader.startNanos() - confirmedNanos > 0
                ? reader.startNanos()
                : confirmedNanos;
    }

    /** Keeps the hold of this reader, which is a part of another one, no longer than that is known to last. */
    static void keep(Hold part, Hold whole, Acquisition reader) {
        Holds holds = part.lane().registry();
        LeaseRequest lease = reader.lease();
        long fromNanos = fromNanos(whole, reader);
        long untilNanos = whole.lease().validUntilNanos();
        if (untilNanos - holds.validUntilNanos(fromNanos, lease) < 0) {
            long leaseMillis = Math.max(0, TimeUnit.NANOSECONDS.toMillis(untilNanos - fromNanos));
            lease = new LeaseRequest(lease.watched(), Math.min(lease.millis(), leaseMillis));
        }
        holds.keep(part, fromNanos, lease);
        holds.verifyIfMoved(part);
    }

    /** Each reader is lost if the hold is. */
    void watch() {
        hold.watch(this::lost);
    }

    /** A reader that has not been invited has this hold, which was granted for it alone. */
    void begin(Hold reader) {
        boolean isLost;
        synchronized (side) {
            readers.put(reader, 0L);
            isLost = state == State.LOST;
        }
        reader.share(this);
        LeaseLoss loss = isLost ? hold.loss() : null;
        if (loss != null) {
            reader.lose(loss.reason());
        }
        // Its release, or its loss, may have found what it was a part of before.
        if (reader.levels() == 0 || reader.loss() != null) {
            leaveUnawaited(reader);
        }
    }

    /** The reader does not join: it has ended, or has a hold already. */
    void uninvite(Acquisition reader) {
        boolean ends;
        synchronized (side) {
            ends = invited.remove(reader) && endIfEmpty();
        }
        if (ends) {
            releaseUnawaited();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for that
    private void releaseUnawaited() {
        release();
    }

    /** A writer waits: readers that come now go in line behind it. */
    void close() {
        synchronized (side) {
            if (state == State.OPEN) {
                state = State.CLOSED;
            }
        }
    }

    @Override
    public void lost(Hold part, LossReason reason) {
        if (Hold.isDenied(reason)) {
            hold.lose(reason);
        }
        if (reason != LossReason.CLOSED) {
            leaveUnawaited(part);
        }
    }

    @Override
    public CompletableFuture<@Nullable Void> leave(Hold part, boolean inDoubt) {
        boolean ends;
        boolean known;
        synchronized (side) {
            known = readers.keySet().remove(part);
            ends = known && endIfEmpty();
        }
        if (ends) {
            return release();
        }
        if (known && inDoubt) {
            return Extension.confirm(hold);
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<@Nullable Void> release() {
        side.ended(this);
        return Release.begin(hold);
    }

    /** Its hold is lost, and so is each reader. */
    private void lost() {
        LeaseLoss loss = hold.loss();
        List<Hold> all;
        synchronized (side) {
            if (loss == null || state == State.RELEASED || state == State.LOST) {
                return;
            }
            state = State.LOST;
            all = new ArrayList<>(readers.keySet());
        }
        side.ended(this);
        all.forEach(reader -> reader.lose(loss.reason()));
    }

    @Override
    public String toString() {
        return "readers of " + hold;
    }
}
