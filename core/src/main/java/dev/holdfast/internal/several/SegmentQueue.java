package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition.State;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one client that wait for a segment of one lock, first come, first served. On behalf of all of them, it
 * has one <em>request</em> in the queue of each segment that one of them wants: an acquisition without a deadline, whose
 * grant goes to the first call that may have that segment. So a call that ends takes no request with it, and a grant
 * costs what a grant of that one lock costs.
 *
 * <pre>
 *   of one segment:            a call wants it                    granted: to the first call that wants it
 *                    NONE ---------------------------> REQUESTED ------------------------------------------> NONE
 *                     ^ ^ no call wants it: given up     |   |
 *                     | +--------------------------------+   | Redis refuses it
 *                     |   the next call joins                v
 *                     +----------------------------------- REFUSED
 *
 *                       the last call has left, and others are requested         the time is over
 *   of the queue:  IN USE ------------------------------------------> LINGERING ------------------> RETIRED
 *                     ^------------- a call joins ----------------------+
 * </pre>
 *
 * <ul>
 *   <li>A grant that no call accepts, since all have ended or none wants the segment any more, is released at once: a
 *       request that is given up too late is granted like any other, and finds no call. So a call never has two.
 *   <li>No wake-up is lost: as long as a call waits, each segment that it wants is requested, or refused.
 *   <li>The requests of the last call are kept for {@link #LINGER}, during which callers of this client often come back:
 *       to give up and repeat the requests for all segments takes three commands for each. What is granted during that time is
 *       released at once.
 *   <li>A segment whose Redis does not answer is requested again at once, which takes the longest outage to fail. Calls
 *       without a deadline fail when that is so for all their segments; the others when their time is over. A segment
 *       that Redis refuses is not requested again before another call joins.
 * </ul>
 *
 * <p>A retired queue is no longer that of its calls, and accepts none. Nothing is called under the monitor: what is to
 * be begun, given up and notified is decided under it, and done afterwards.
 *
 * @see "SegmentedLockTest, SegmentLeaversTest"
 */
final class SegmentQueue implements PartAcquisition.Whole {
    /**
     * @param silent whether Redis did not answer
     * @param atNanos when it failed
     */
    private record Failure(RuntimeException why, boolean silent, long atNanos) {}

    private static final Duration LINGER = Duration.ofMillis(20);

    private final Segments all;
    private final SegmentSet lock;
    private final LeaseRequest lease;
    private final Deadline endOfLinger = Deadline.of(this::lingered);

    // All below is guarded by this.
    private final Set<SegmentCall> calls = new LinkedHashSet<>();
    private final @Nullable PartAcquisition[] requests;

    /** How the last request of each segment failed; null if it did not. */
    private final @Nullable Failure[] failures;

    /** Whether the end of the linger is scheduled. */
    private boolean lingering;

    private boolean retired;

    SegmentQueue(Segments all, SegmentSet lock, LeaseRequest lease) {
        this.all = all;
        this.lock = lock;
        this.lease = lease;
        this.requests = new @Nullable PartAcquisition[lock.size()];
        this.failures = new @Nullable Failure[lock.size()];
    }

    SegmentSet lock() {
        return lock;
    }

    LeaseRequest lease() {
        return lease;
    }

    // --- Joining and leaving.

    /** Returns false if the queue is retired. */
    boolean join(SegmentCall call) {
        synchronized (this) {
            if (retired) {
                return false;
            }
            calls.add(call);
            call.wanted().stream().filter(this::isRefused).forEach(segment -> failures[segment] = null);
        }
        call.waitsIn(this);
        if (call.isPending()) {
            adjust();
        } else {
            leave(call);
        }
        return true;
    }

    /** The call has ended. */
    void leave(SegmentCall ended) {
        synchronized (this) {
            calls.remove(ended);
        }
        adjust();
    }

    /** Requests what the calls want and is not requested, and gives up what none of them wants. */
    private void adjust() {
        List<PartAcquisition> begins = new ArrayList<>();
        List<PartAcquisition> ends = new ArrayList<>();
        boolean lingers = false;
        synchronized (this) {
            if (calls.isEmpty()) {
                lingers = !lingering;
                lingering = true;
            } else {
                requestWanted(begins, ends);
            }
        }
        ends.forEach(PartAcquisition::giveUp);
        begins.forEach(PartAcquisition::begin);
        boolean closing = all.session().admission().isClosing();
        if (lingers
                && (closing
                        || !all.session()
                                .deadlines()
                                .schedule(endOfLinger, all.session().now() + LINGER.toNanos()))) {
            lingered();
        }
    }

    /**
     * Under the monitor.
     *
     * @param begins receives the requests that are to be begun
     * @param ends receives those that are to be given up
     */
    private void requestWanted(List<PartAcquisition> begins, List<PartAcquisition> ends) {
        BitSet wanted = new BitSet(lock.size());
        calls.forEach(call -> wanted.or(call.wanted()));
        for (int segment = 0; segment < lock.size(); segment++) {
            PartAcquisition request = requests[segment];
            if (request != null && !wanted.get(segment)) {
                ends.add(request);
                requests[segment] = null;
            } else if (request == null && wanted.get(segment) && !isRefused(segment)) {
                request = all.request(lock, segment, lease, this);
                begins.add(request);
                requests[segment] = request;
            }
        }
    }

    /** Retires the queue, unless a call has joined while it lingered. */
    private void lingered() {
        List<PartAcquisition> ends = new ArrayList<>();
        synchronized (this) {
            lingering = false;
            if (!calls.isEmpty()) {
                return;
            }
            retired = true;
            for (int segment = 0; segment < lock.size(); segment++) {
                PartAcquisition request = requests[segment];
                if (request != null) {
                    ends.add(request);
                    requests[segment] = null;
                }
            }
        }
        ends.forEach(PartAcquisition::giveUp);
        all.remove(this);
    }

    private boolean isRefused(int segment) {
        Failure failure = failures[segment];
        return failure != null && !failure.silent();
    }

    // --- The outcomes of requests.

    @Override
    public void settled(PartAcquisition request, State how) {
        switch (how) {
            case GRANTED -> granted(request);
            case FAILED -> failed(request);
            case REFUSED, PENDING, ABANDONED -> throw AcquireRequest.neverRefused();
        }
    }

    private void granted(PartAcquisition request) {
        SegmentCall first;
        do {
            first = takeFirst(request);
        } while (first != null && !first.grant(request));
        if (first == null) {
            request.releaseUnwanted();
        }
    }

    /** {@return the first call that wants the segment; null if there is none} It leaves the queue. */
    private synchronized @Nullable SegmentCall takeFirst(PartAcquisition granted) {
        int segment = granted.index();
        if (requests[segment] == granted) {
            requests[segment] = null;
            failures[segment] = null;
        }
        for (Iterator<SegmentCall> each = calls.iterator(); each.hasNext(); ) {
            SegmentCall call = each.next();
            if (call.wanted().get(segment)) {
                each.remove();
                return call;
            }
        }
        return null;
    }

    private void failed(PartAcquisition request) {
        int segment = request.index();
        synchronized (this) {
            if (requests[segment] != request) {
                return;
            }
            requests[segment] = null;
            failures[segment] = new Failure(
                    request.whyFailed(), request.isSilent(), all.session().now());
        }
        for (SegmentCall call : waiting()) {
            if (call.wanted().stream().allMatch(each -> isOut(each, call))) {
                call.fail(explain(call));
            }
        }
        adjust();
    }

    /** {@return whether waiting for the segment is of no use to the call} */
    private boolean isOut(int segment, SegmentCall call) {
        PartAcquisition request;
        Failure failure;
        synchronized (this) {
            request = requests[segment];
            failure = failures[segment];
        }
        return failure != null
                && (!failure.silent() || call.waitsForEver())
                && (request == null || !request.isBusySince(failure.atNanos()));
    }

    private synchronized List<SegmentCall> waiting() {
        return List.copyOf(calls);
    }

    // --- The end of a call's wait.

    private synchronized @Nullable PartAcquisition request(int segment) {
        return requests[segment];
    }

    /** The wait of a call is about to end: attempts again where the last reply would be too old at its end. */
    void refresh(SegmentCall call) {
        call.wanted().stream().forEach(segment -> {
            PartAcquisition request = request(segment);
            if (request != null) {
                request.refresh();
            }
        });
    }

    /** {@return whether each of the call's segments is known to be busy} */
    boolean isBusy(SegmentCall call) {
        return call.wanted().stream().allMatch(segment -> {
            PartAcquisition request = request(segment);
            return request != null && request.isBusy();
        });
    }

    /** {@return why the call is granted none: what Redis refused, or else that it did not answer} */
    synchronized RuntimeException explain(SegmentCall call) {
        RuntimeException silence = null;
        for (int segment : call.wanted().stream().toArray()) {
            Failure failure = failures[segment];
            if (failure != null && !failure.silent()) {
                return failure.why();
            }
            silence = failure == null ? silence : failure.why();
        }
        return call.noAnswer(silence);
    }
}
