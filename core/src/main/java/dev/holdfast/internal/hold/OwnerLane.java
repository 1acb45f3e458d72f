package dev.holdfast.internal.hold;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One owner at one lock: its holds, and its commands about them, one at a time.
 *
 * <pre>
 *            submit                      done, no command waits, no orphaned tenure, no holds, no pins
 *   IDLE ----------------> RUNNING ----------------------------------------------> RETIRED
 *     ^   \                 |   ^                                                     ^
 *     |    \                |   | done, another command waits; or there is an         |
 *     |     \               |   +-- orphaned tenure, and an OrphanRelease runs for it |
 *     |      \ the last pin or hold goes, no orphaned tenure -------------------------+
 *     |  done, holds or pins|left
 *     +---------------------+
 * </pre>
 *
 * <p>Pins stand for what an owner has in progress without a command in the lane: an acquisition that waits in a queue,
 * a wait for a condition, and a release that was handed off and is unanswered. So a lane that is not retired covers all
 * that an owner has and does at the lock.
 *
 * <p>Commands run in the order in which they were submitted. At most one call of unknown outcome exists per lane, so it
 * is never in question which of two was executed first. A retired lane has been removed from its lock, or is about to
 * be, and accepts no command; a caller that finds one looks up the lane again.
 *
 * <p>The next acquire of the lane has a newer tenure than an {@linkplain OrphanedTenure orphaned} one, and adopts it;
 * if there is none, an {@link OrphanRelease} releases it by tenure. If Redis refuses that, it is retried after a pause,
 * also over other connections, until the lease that Redis may have has ended, taking into account every command that
 * was sent.
 *
 * <p>Holds are a stack: a lost one stays until each of its levels was unlocked, and a later acquire pushes a new hold
 * on top.
 *
 * @see "OwnerLaneOrdersTest, LocalLocksTest, OwnerOrderTest"
 */
public final class OwnerLane {
    private enum State {
        IDLE,
        RUNNING,
        RETIRED
    }

    final LocalLock local;

    /** The holds of the client that the lane belongs to. */
    final Holds holds;

    final LockKey lock;
    private final long ownerId;

    // All below is guarded by this.
    private State state = State.IDLE;

    /** The command that runs; null unless RUNNING. */
    private @Nullable LaneCommand running;

    private @Nullable LaneCommand firstWaiting;
    private @Nullable LaneCommand lastWaiting;

    /** The top of the stack; each hold links to the one below. */
    private @Nullable Hold top;

    /** The number of pending acquisitions, of waits for conditions, and of releases that have left the lane unanswered. */
    private int pins;

    private boolean draining;

    /** Null until there is one for the first time. */
    private @Nullable OrphanedTenure orphan;

    /** @param lock the name, as the kind of lock that the owner uses */
    public OwnerLane(LocalLock local, LockKey lock, long ownerId) {
        this.local = local;
        this.holds = local.holds;
        this.lock = lock;
        this.ownerId = ownerId;
    }

    /** {@return the lock, as this client knows it} */
    public LocalLock local() {
        return local;
    }

    /** {@return the holds of the client that the lane belongs to} */
    public Holds registry() {
        return holds;
    }

    public LockKey lock() {
        return lock;
    }

    /** {@return the Redis node that the lane's commands go to} */
    public Home home() {
        return holds.homes.of(lock);
    }

    public long ownerId() {
        return ownerId;
    }

    /** {@return what a command about this tenure claims} */
    Claim claim(long tenure, int count, long leaseMillis) {
        return new Claim(lock, holds.session.owners().field(ownerId), tenure, count, leaseMillis);
    }

    String ownerName() {
        return holds.session.owners().describe(ownerId);
    }

    /** Submits the command; it runs at once if no other does. Returns false if the lane is retired. */
    public boolean submit(LaneCommand command) {
        synchronized (this) {
            if (state == State.RETIRED) {
                return false;
            }
            enqueue(command);
        }
        drain();
        return true;
    }

    private void enqueue(LaneCommand command) {
        if (firstWaiting == null) {
            firstWaiting = command;
        } else if (lastWaiting != null) {
            lastWaiting.next = command;
        }
        lastWaiting = command;
    }

    /**
     * Makes the command the running one, if the owner has no other; the caller that has reserved the lane starts it.
     * Returns false if the lane is in use or retired.
     */
    public synchronized boolean reserve(LaneCommand command) {
        if (state != State.IDLE || firstWaiting != null) {
            return false;
        }
        begin(command);
        return true;
    }

    /** Keeps the lane from being retired until {@link #unpin}. Returns false if it is retired. */
    public synchronized boolean pin() {
        if (state == State.RETIRED) {
            return false;
        }
        pins++;
        return true;
    }

    /** Removes a pin. {@link #rest} is owed, outside any monitor. */
    public synchronized void unpin() {
        if (pins == 0) {
            throw new IllegalStateException("a pin that is not there cannot be taken back: " + this);
        }
        pins--;
    }

    /** Retires the lane if it is not used any more. */
    public void rest() {
        if (retireUnlessUsed()) {
            holds.locks.rested(this, true);
        }
    }

    /** {@return whether the lane is retired, by this call or before} */
    synchronized boolean retireUnlessUsed() {
        if (state == State.IDLE && firstWaiting == null && isUnused()) {
            state = State.RETIRED;
        }
        return state == State.RETIRED;
    }

    /** {@return whether there is nothing that a lane without commands is kept for} */
    private boolean isUnused() {
        return top == null && pins == 0 && (orphan == null || !orphan.isKnown());
    }

    synchronized boolean isRunning(LaneCommand command) {
        return running == command;
    }

    /** The running command has ended. */
    void done(LaneCommand command) {
        synchronized (this) {
            if (running != command) {
                throw new IllegalStateException("a command that does not run cannot end: " + command);
            }
            running = null;
            state = State.IDLE;
        }
        drain();
    }

    /**
     * Runs commands until one of them waits for its reply. A loop, so that commands that end at once do not nest on the
     * stack.
     */
    private void drain() {
        for (boolean first = true; ; first = false) {
            LaneCommand next;
            boolean retired;
            synchronized (this) {
                if (first && draining) {
                    return;
                }
                next = state == State.IDLE ? next() : null;
                draining = next != null;
                retired = state == State.RETIRED;
            }
            if (next == null) {
                holds.locks.rested(this, retired);
                return;
            }
            next.start();
        }
    }

    private void begin(LaneCommand command) {
        running = command;
        state = State.RUNNING;
    }

    /** {@return the command that runs from now on; null if there is none, and the lane stays idle or is retired} */
    private @Nullable LaneCommand next() {
        LaneCommand next = firstWaiting;
        if (next != null) {
            firstWaiting = next.next;
            lastWaiting = firstWaiting == null ? null : lastWaiting;
            next.next = null;
            begin(next);
        } else if (orphan != null && orphan.isDue()) {
            next = new OrphanRelease(this, orphan.take(), orphan.untilNanos());
            begin(next);
        } else {
            retireUnlessUsed();
        }
        return next;
    }

    /** Redis may have this hold, and no caller wants it. Not under a monitor. */
    public void noteOrphan(Hold hold) {
        SharedHold<Hold> whole = hold.shared();
        if (whole == null) {
            noteOrphan(hold.tenure(), hold.latestEndNanos());
        } else {
            whole.leaveUnawaited(hold);
        }
    }

    /**
     * Redis may have granted this tenure, and no caller wants it.
     *
     * @param leaseEndNanos the latest end of the lease that it may have
     */
    public synchronized void noteOrphan(long tenure, long leaseEndNanos) {
        orphan().note(tenure, leaseEndNanos);
    }

    /** {@return whether Redis may have a newer tenure of the owner that no caller wants, and that is not released yet} */
    public synchronized boolean hasOrphanNewerThan(long tenure) {
        return orphan != null && orphan.isNewerThan(tenure);
    }

    private OrphanedTenure orphan() {
        if (orphan == null) {
            orphan = new OrphanedTenure();
        }
        return orphan;
    }

    /** The release of this tenure waits until {@link #resumeOrphan}, and then for the commands in the lane. */
    synchronized void deferOrphan(long tenure, long leaseEndNanos) {
        noteOrphan(tenure, leaseEndNanos);
        orphan().defer(true);
    }

    void resumeOrphan() {
        synchronized (this) {
            orphan().defer(false);
        }
        drain();
    }

    /**
     * The release of this tenure was refused: it is deferred, unless the lease has ended.
     *
     * @return how often in a row it had been refused before
     */
    synchronized int orphanRefused(long tenure, long leaseEndNanos, boolean leaseEnded) {
        int before = orphan().refused();
        if (leaseEnded) {
            orphan().forgetRefusals();
        } else {
            deferOrphan(tenure, leaseEndNanos);
        }
        return before;
    }

    /** A command of this tenure was answered: it decides, whatever the commands of older tenures did. */
    public synchronized void clearOrphansUpTo(long tenure) {
        if (orphan != null) {
            orphan.clearUpTo(tenure);
        }
    }

    synchronized void push(Hold hold) {
        hold.setBelow(top);
        top = hold;
    }

    /** Removes a hold from the stack. Returns false if it is not there. */
    synchronized boolean remove(Hold hold) {
        Hold above = null;
        for (Hold at = top; at != null; above = at, at = at.below()) {
            if (at == hold) {
                if (above == null) {
                    top = at.below();
                } else {
                    above.setBelow(at.below());
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Removes a lost hold whose levels will not be unlocked. A command that was to extend its lease and has no reply
     * may have been executed all the same, or may still be: then the tenure is released as an orphan.
     */
    void forget(Hold hold) {
        boolean isOrphan;
        synchronized (this) {
            isOrphan = remove(hold) && hold.mayOutliveItsLease();
            if (isOrphan && hold.shared() == null) {
                noteOrphan(hold.tenure(), hold.latestEndNanos());
            }
        }
        if (isOrphan && hold.shared() != null) {
            noteOrphan(hold);
        }
        drain();
    }

    /**
     * Redis has reported that it has this hold, which is lost here, for all the longer: the tenure is to be released as
     * an orphan, unless its owner may still be at work.
     */
    public void takeBack(Hold lost) {
        if (!lost.isLeftToRunOut()) {
            noteOrphan(lost);
        }
    }

    /** {@return the hold of the level that the next unlock belongs to, lost or not; null if the owner has none} */
    synchronized @Nullable Hold top() {
        return top;
    }

    /** {@return the hold that the owner has now, as far as is known here; null if it has none or its lease is lost} */
    @Nullable
    public Hold held() {
        Hold latest = top();
        return latest != null && latest.isAccepted() && latest.loss() == null && latest.isValid() ? latest : null;
    }

    /**
     * {@return the hold that an acquire of the owner re-enters; null if it has none or its lease is lost} Unlike {@link
     * #held} it does not doubt a hold while the machine seems to have been suspended: the re-entry finds out from
     * Redis.
     */
    @Nullable
    public Hold reentrable() {
        Hold latest = top();
        return latest != null && latest.loss() == null && latest.lease().isRunning() ? latest : null;
    }

    /** {@return all holds, including the lost ones, the latest first} */
    synchronized List<Hold> holds() {
        List<Hold> all = new ArrayList<>();
        for (Hold at = top; at != null; at = at.below()) {
            all.add(at);
        }
        return all;
    }

    /** {@return the holds that Redis may have and that may not be lost: also the one that the running command ends} */
    synchronized List<Hold> holdsInRedis() {
        List<Hold> all = holds();
        Hold ending = running == null ? null : running.ending();
        if (ending != null && !all.contains(ending)) {
            all.add(ending);
        }
        return all;
    }

    /** {@return whether nothing is held and no command is in progress; lost holds do not count} */
    synchronized boolean isIdle() {
        return state != State.RUNNING
                && firstWaiting == null
                && holds().stream().allMatch(hold -> hold.loss() != null);
    }

    /**
     * Releases the orphaned tenure, after all commands that were submitted before.
     *
     * @return completes when that was attempted
     */
    CompletableFuture<@Nullable Void> finish() {
        OrphanRelease last;
        synchronized (this) {
            last = new OrphanRelease(this, orphan().take(), orphan().untilNanos());
        }
        if (!submit(last)) {
            last.skip();
        }
        return last.ended();
    }

    @Override
    public String toString() {
        return lock.subject() + " of owner " + ownerName();
    }
}
