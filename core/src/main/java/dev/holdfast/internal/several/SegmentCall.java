package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request for any one of several segments.
 *
 * <pre>
 *             none is free, and it may wait
 *   SEARCHING -----------------------------> WAITING
 *       |  \                                  |
 *       |   +-- others of its kind wait ----->|
 *       v                                     v
 *   GRANTED, REFUSED, FAILED, or ABANDONED by its caller
 * </pre>
 *
 * <p>It searches by a {@link SegmentSearch}, and waits in a {@link SegmentQueue}. Which of the ends it comes to is
 * decided once ({@link SeveralCall}): a segment that is granted to it afterwards is released, or goes to the next call.
 *
 * <p>The end of the wait is a deadline; that of a call without a wait is a command timeout after its beginning. At that
 * time it is refused if each of its segments is known to be busy, by a reply no older than the command timeout; a reply
 * that is outstanding is awaited for a moment; then it fails.
 *
 * @see "SegmentedLockTest, SegmentOutageTest"
 */
public final class SegmentCall extends SeveralCall<PartAcquisition> {
    private static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

    private final Segments all;
    private final SegmentSet lock;
    private final BitSet wanted;
    private final LeaseRequest lease;
    private final long waitNanos;
    private final long startNanos;
    private final Deadline endOfWait = Deadline.of(this::waited);
    private volatile @Nullable SegmentSearch search;
    private volatile @Nullable SegmentQueue queue;

    /** Whether its search has found each of its segments busy. */
    private volatile boolean foundBusy;

    SegmentCall(Segments all, SegmentSet lock, BitSet wanted, LeaseRequest lease, long waitNanos) {
        super(all.session(), "a segment of lock '" + lock.name() + "'");
        this.all = all;
        this.lock = lock;
        this.wanted = wanted;
        this.lease = lease;
        this.waitNanos = waitNanos;
        this.startNanos = session().now();
    }

    SegmentSet lock() {
        return lock;
    }

    private List<String> names() {
        return wanted.stream().mapToObj(segment -> lock.key(segment).name()).toList();
    }

    /** {@return the segments that it may be granted; not to be modified} */
    BitSet wanted() {
        return wanted;
    }

    LeaseRequest lease() {
        return lease;
    }

    boolean waits() {
        return waitNanos > 0;
    }

    boolean waitsForEver() {
        return waitNanos == AcquireRequest.FOR_EVER;
    }

    /** {@return the end of the wait; without one, that of the time for the answers} */
    private long deadlineNanos() {
        return startNanos + (waits() ? waitNanos : session().commandTimeoutNanos());
    }

    void begin() {
        if (!waitsForEver()) {
            long early = waits() ? Math.min(session().commandTimeoutNanos(), waitNanos) / 2 : 0;
            session().deadlines().schedule(endOfWait, deadlineNanos() - early);
        }
        if (waits() && all.queueOf(lock, lease) != null) {
            all.join(this);
        } else {
            SegmentSearch begun = new SegmentSearch(all, this);
            search = begun;
            begun.begin();
        }
    }

    /**
     * The search found no segment that is free, or not soon enough for a call that may wait. Called once.
     *
     * @param allBusy whether each of them is known to be busy
     */
    void foundNone(boolean allBusy) {
        if (allBusy) {
            foundAllBusy();
        } else if (!waits()) {
            fail(explain());
        }
        if (isPending()) {
            all.join(this);
        }
    }

    /** The search found each of the segments busy; the call may wait already. */
    void foundAllBusy() {
        foundBusy = true;
        if (!waitsForEver() && (!waits() || deadlineNanos() - session().now() <= 0)) {
            refuse();
        }
    }

    private RuntimeException explain() {
        SegmentQueue waitsIn = queue;
        SegmentSearch searched = search;
        if (waitsIn != null) {
            return waitsIn.explain(this);
        }
        return searched == null ? noAnswer(null) : searched.explain();
    }

    /** {@return the exception for a call without an answer that decides; names the time since it began} */
    RuntimeException noAnswer(@Nullable Throwable cause) {
        return session().exceptions().noAnswer(toString(), names(), session().now() - startNanos, cause);
    }

    /** It waits in this queue from now on. */
    void waitsIn(SegmentQueue joined) {
        queue = joined;
    }

    @Override
    void onEnd() {
        session().deadlines().cancel(endOfWait);
        SegmentSearch searching = search;
        if (searching != null) {
            searching.stop();
        }
        SegmentQueue waitedIn = queue;
        if (waitedIn != null) {
            waitedIn.leave(this);
        }
    }

    @Override
    void takeBack(PartAcquisition granted) {
        granted.releaseUnwanted();
    }

    @Override
    @Nullable
    RuntimeException lossOf(PartAcquisition granted) {
        Hold hold = granted.granted();
        return hold.isOver() ? hold.exceptionFor(hold.lossOfOver()) : null;
    }

    /** The wait is over, or about to be. */
    private void waited() {
        long now = session().now();
        if (!isPending()) {
            return;
        }
        SegmentQueue waitsIn = queue;
        if (deadlineNanos() - now > 0) {
            refresh(waitsIn, deadlineNanos());
        } else if (isKnownBusy(now, waitsIn)) {
            refuse();
        } else if (now - deadlineNanos() < GRACE_NANOS) {
            refresh(waitsIn, now);
        } else {
            fail(explain());
        }
    }

    private void refresh(@Nullable SegmentQueue waitsIn, long nextNanos) {
        if (waitsIn != null) {
            waitsIn.refresh(this);
        }
        session().deadlines().schedule(endOfWait, nextNanos);
        if (!isPending()) {
            session().deadlines().cancel(endOfWait);
        }
    }

    private boolean isKnownBusy(long now, @Nullable SegmentQueue waitsIn) {
        boolean bySearch = foundBusy && now - startNanos <= session().commandTimeoutNanos();
        return bySearch || (waitsIn != null && waitsIn.isBusy(this));
    }
}
