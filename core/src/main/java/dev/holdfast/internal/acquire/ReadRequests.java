package dev.holdfast.internal.acquire;

import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.session.Session;
import dev.holdfast.internal.wait.LockWaiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The readers of a {@link ReadSide} that wait for a group, and the requests for one.
 *
 * <pre>
 *                   none waits for it            a reader waits, and no group admits it     granted: all that wait are invited
 *   of a request:   NONE ------------------------------------------------------> REQUESTED -----------------------------------> NONE
 *                    ^                                                              | |
 *                    +--- no reader waits any more: given up -----------------------+ +--- Redis does not answer: another one
 * </pre>
 *
 * <p>There is one request for all that wait, which has the place in line, and another one without a place for all that do not
 * wait, while one of those is in flight. Whichever is granted admits both, but for those that are held back: what the other one is
 * granted afterwards is released if no reader waits any more.
 *
 * <p>The request is an acquisition like any other, of an owner id that is used once. So its place, its wake-ups, its grant by a
 * message and its failures are those of the {@link dev.holdfast.internal.wait.WaitQueue}, which knows of no reader.
 *
 * <p>If a writer of this client has found the lock busy and has no place in line yet, it was before these readers: their request
 * is held back until it has one, or leaves, of which its queue notifies the side; but no longer than for a command timeout.
 *
 * <p>Guarded by the side, but for what is said to be called outside its monitor.
 */
final class ReadRequests implements PartAcquisition.Whole {
    /**
     * What is to be done outside the monitor.
     *
     * @param begins the requests to begin
     * @param ends the request to give up
     * @param looksAgain whether a request is held back, and is to be held back no longer than for a command timeout
     */
    record Step(List<PartAcquisition> begins, @Nullable PartAcquisition ends, boolean looksAgain) {}

    private final ReadSide side;
    private final Acquisitions acquisitions;
    private final Session session;

    private final Set<Acquisition> waiting = new LinkedHashSet<>();

    /** Those that do not wait, until the reply to one attempt for all of them. */
    private final Set<Acquisition> trying = new LinkedHashSet<>();

    /** Of those that wait; null if there is none. */
    private @Nullable PartAcquisition request;

    /** Of those that do not; null if none is in flight. */
    private @Nullable PartAcquisition attempt;

    /** When the last request was known to be busy that has ended since. */
    private long busyNanos;

    /** Whether a held-back request is going to be made after a command timeout. */
    private boolean looking;

    ReadRequests(ReadSide side, Acquisitions acquisitions) {
        this.side = side;
        this.acquisitions = acquisitions;
        this.session = acquisitions.session();
        this.busyNanos = session.now() - 2 * session.commandTimeoutNanos();
    }

    void add(Acquisition reader) {
        (reader.waits() ? waiting : trying).add(reader);
    }

    /** {@return whether it waited} */
    boolean remove(LockWaiter reader) {
        return waiting.remove(reader) || trying.remove(reader);
    }

    /** {@return the acquisitions of this owner, which do not wait any more} */
    List<Acquisition> takeAllOf(long ownerId) {
        List<Acquisition> taken =
                waiting.stream().filter(reader -> reader.ownerId() == ownerId).toList();
        taken.forEach(waiting::remove);
        return taken;
    }

    boolean isWaiting(Acquisition reader) {
        return waiting.contains(reader);
    }

    /** {@return how many wait; not counted is the request of all of them if it waits, too} */
    int waiters() {
        return waiting.size() - (request != null && request.queue() != null ? 1 : 0);
    }

    boolean areOver() {
        return request == null && attempt == null && waiting.isEmpty() && trying.isEmpty();
    }

    List<PartAcquisition> present() {
        List<PartAcquisition> present = new ArrayList<>(2);
        if (request != null) {
            present.add(request);
        }
        if (attempt != null) {
            present.add(attempt);
        }
        return present;
    }

    long busyNanos() {
        return busyNanos;
    }

    /** {@return whether readers wait, and have no request} */
    boolean isRequestWanted() {
        return !waiting.isEmpty() && request == null;
    }

    /**
     * {@return what is to be begun and given up, so that all that wait have a request}
     *
     * @param heldBack whether a writer of this client waits without a place in line
     */
    Step adjust(boolean heldBack) {
        List<PartAcquisition> begins = new ArrayList<>(2);
        PartAcquisition ends = null;
        boolean looksAgain = false;
        if (waiting.isEmpty() && request != null) {
            ends = request;
            request = null;
        } else if (isRequestWanted() && heldBack && isInTime()) {
            looksAgain = !looking;
            looking = true;
        } else if (isRequestWanted()) {
            request = request(AcquireRequest.FOR_EVER, true, waiting);
            begins.add(request);
        }
        if (!trying.isEmpty() && attempt == null) {
            attempt = request(0, trying.stream().anyMatch(Acquisition::isOfWaitingCall), trying);
            begins.add(attempt);
        }
        return new Step(begins, ends, looksAgain);
    }

    /** {@return whether the first one has waited for less than a command timeout} */
    private boolean isInTime() {
        return session.now() - waiting.iterator().next().startNanos() < session.commandTimeoutNanos();
    }

    /** Outside the monitor. */
    void perform(Step step) {
        if (step.ends() != null) {
            step.ends().giveUp();
        }
        step.begins().forEach(PartAcquisition::begin);
        if (step.looksAgain()) {
            session.after(Duration.ofNanos(session.commandTimeoutNanos()), () -> {
                synchronized (side) {
                    looking = false;
                }
                side.adjust();
            });
        }
    }

    /** {@return a request, not begun, with the longest lease that is wanted} */
    private PartAcquisition request(long waitNanos, boolean ofWaitingCall, Set<Acquisition> readers) {
        LeaseRequest longest = null;
        for (Acquisition reader : readers) {
            LeaseRequest lease = reader.lease();
            boolean watched = lease.watched() || (longest != null && longest.watched());
            longest = new LeaseRequest(watched, Math.max(lease.millis(), longest == null ? 0 : longest.millis()));
        }
        if (longest == null) {
            throw new IllegalStateException("no reader wants lock '" + side.lock() + "'");
        }
        AcquireRequest wanted = new AcquireRequest(
                side.lock(), session.owners().newGroupId(), Ownership.GROUP, longest, waitNanos, ofWaitingCall);
        return new PartAcquisition(acquisitions, wanted, 0, null, null, this);
    }

    // --- The outcome of a request.

    /** Outside the monitor. */
    @Override
    public void settled(PartAcquisition part, Acquisition.State how) {
        long latestNanos = part.lastBusyNanos();
        synchronized (side) {
            busyNanos = Math.max(busyNanos, latestNanos);
        }
        switch (how) {
            case GRANTED -> {
                if (!side.granted(part)) {
                    part.releaseUnwanted();
                }
            }
            case REFUSED -> refused(part);
            case FAILED -> failed(part);
            case PENDING, ABANDONED -> throw AcquireRequest.neverRefused();
        }
        side.adjust();
    }

    /**
     * {@return all that are not held back, each of which has the lock} The other request is given up by the next {@link #adjust}.
     */
    List<Acquisition> granted(PartAcquisition part) {
        List<Acquisition> taken = new ArrayList<>(waiting.size() + trying.size());
        if (request != null) {
            taken.addAll(waiting);
            waiting.clear();
        }
        taken.addAll(trying);
        trying.clear();
        forget(part);
        return taken;
    }

    private void forget(PartAcquisition part) {
        if (request == part) {
            request = null;
        }
        if (attempt == part) {
            attempt = null;
        }
    }

    private void refused(PartAcquisition part) {
        List<Acquisition> refused;
        synchronized (side) {
            forget(part);
            // The lock may have become free after the attempt: those that came later are in the next one.
            refused = trying.stream()
                    .filter(reader -> reader.startNanos() - part.startNanos() <= 0)
                    .toList();
            refused.forEach(trying::remove);
        }
        refused.forEach(Acquisition::refuse);
    }

    private void failed(PartAcquisition part) {
        RuntimeException why = part.whyFailed();
        List<Acquisition> failed;
        synchronized (side) {
            Set<Acquisition> affected = attempt == part ? trying : request == part ? waiting : Set.of();
            forget(part);
            failed = affected.stream()
                    .filter(reader -> !part.isSilent() || !reader.hasDeadline())
                    .toList();
            failed.forEach(affected::remove);
        }
        boolean closing = session.admission().isClosing();
        for (Acquisition reader : failed) {
            if (closing) {
                reader.close();
            } else if (part.isSilent()) {
                reader.unanswered(why.getCause());
            } else {
                reader.failAlone(session.exceptions().likewise(side.lock(), reader.ownerId(), why));
            }
        }
    }
}
