package dev.holdfast;

import dev.holdfast.watchdog.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One owner at one lock: its holds, and what it is doing to them, one command at a time.
 *
 * <pre>
 *            submit                      done, nothing waits, nothing unsettled, no holds
 *   IDLE ----------------> RUNNING ----------------------------------------------> RETIRED
 *     ^                     |   ^
 *     |  done, holds left   |   | done, another step waits; or something is unsettled,
 *     +---------------------+   +-- and a {@link Settle} is run for it
 * </pre>
 *
 * <p>Steps run in the order they were submitted. At most one command of unknown outcome exists per lane, so there is never
 * a question which of two came first. A retired lane has left the registry and takes no step; whoever finds one looks up
 * the lane again.
 *
 * <p>{@code unsettled} is the newest tenure that Redis may have without our having a use for it: the answer was lost, the
 * caller had given up, or the hold was lost. The next acquire of the lane has a newer tenure and adopts it; if there is none, a
 * settle releases it by tenure.
 *
 * <p>Holds are a stack: a lost one stays until each of its levels was unlocked, and a later acquire puts a new hold on top.
 */
final class Lane {
    /** With a pause of a command timeout each, longer than a watched lease at the default settings. */
    private static final int MOST_REFUSALS = 12;

    private final Engine engine;
    private final LockKey lock;
    private final long ownerId;

    // All below is guarded by this.
    private @Nullable Step running;
    private @Nullable Step firstWaiting;
    private @Nullable Step lastWaiting;

    /** The top of the stack; each leads to the one below. */
    private @Nullable Hold top;

    private boolean draining;
    private boolean retired;
    private long unsettled;
    private boolean settleDeferred;
    private int refusals;

    Lane(Engine engine, LockKey lock, long ownerId) {
        this.engine = engine;
        this.lock = lock;
        this.ownerId = ownerId;
    }

    Engine engine() {
        return engine;
    }

    LockKey lock() {
        return lock;
    }

    long ownerId() {
        return ownerId;
    }

    byte[] ownerField() {
        return engine.owners().field(ownerId);
    }

    String ownerName() {
        return engine.owners().describe(ownerId);
    }

    /** Takes the step in; it runs at once if no other does. False if the lane is retired. */
    boolean submit(Step step) {
        synchronized (this) {
            if (retired) {
                return false;
            }
            enqueue(step);
        }
        drain();
        return true;
    }

    private void enqueue(Step step) {
        if (firstWaiting == null) {
            firstWaiting = step;
        } else if (lastWaiting != null) {
            lastWaiting.runsBefore(step);
        }
        lastWaiting = step;
    }

    /** Makes the step the running one, if the owner has nothing else under way; who claims the lane starts it. */
    synchronized boolean claim(Step step) {
        if (retired || running != null || firstWaiting != null) {
            return false;
        }
        running = step;
        return true;
    }

    /** The running step has ended. */
    void done(Step step) {
        synchronized (this) {
            if (running != step) {
                throw new IllegalStateException("a step that does not run cannot end: " + step);
            }
            running = null;
        }
        drain();
    }

    /** Runs steps until one of them waits for its answer. A loop, so that steps that end at once do not pile up. */
    private void drain() {
        for (boolean first = true; ; first = false) {
            Step next;
            synchronized (this) {
                if (first && draining) {
                    return;
                }
                next = running == null ? next() : null;
                draining = next != null;
                running = next == null ? running : next;
            }
            if (next == null) {
                engine.lanes().rested(this);
                return;
            }
            next.start();
        }
    }

    private @Nullable Step next() {
        Step next = firstWaiting;
        if (next != null) {
            firstWaiting = next.next();
            lastWaiting = firstWaiting == null ? null : lastWaiting;
            next.runsBefore(null);
            return next;
        }
        if (unsettled != 0 && !settleDeferred) {
            long tenure = unsettled;
            unsettled = 0;
            return new Settle(this, tenure);
        }
        if (top == null && unsettled == 0) {
            retired = true;
        }
        return null;
    }

    /** Redis may have granted this tenure, and nobody wants it. */
    synchronized void unsettled(long tenure) {
        unsettled = Math.max(unsettled, tenure);
    }

    /** There is no connection to settle this tenure by: it is tried again with the next one, and steps go first. */
    void settleLater(long tenure) {
        synchronized (this) {
            unsettled = Math.max(unsettled, tenure);
            settleDeferred = true;
        }
        engine.outage().await(this::settleNow);
    }

    /**
     * Redis refused to settle this tenure: it is tried again after a pause, a few times, until the lease has run out.
     *
     * @return false when it was tried often enough
     */
    boolean settleAfterPause(long tenure) {
        synchronized (this) {
            if (++refusals > MOST_REFUSALS) {
                refusals = 0;
                return false;
            }
            unsettled = Math.max(unsettled, tenure);
            settleDeferred = true;
        }
        Deadline pause = new Deadline() {
            @Override
            protected void expired() {
                settleNow();
            }
        };
        return engine.deadlines().schedule(pause, engine.now() + engine.commandTimeoutNanos());
    }

    private void settleNow() {
        synchronized (this) {
            settleDeferred = false;
        }
        drain();
    }

    /** An acquire of this tenure was answered: whatever older ones did, it is this one that counts. */
    synchronized void settledBelow(long tenure) {
        if (unsettled <= tenure) {
            unsettled = 0;
            refusals = 0;
        }
    }

    synchronized void push(Hold hold) {
        hold.putOn(top);
        top = hold;
    }

    /** Takes a hold out, if it is in. */
    synchronized boolean remove(Hold hold) {
        Hold above = null;
        for (Hold at = top; at != null; above = at, at = at.below()) {
            if (at == hold) {
                if (above == null) {
                    top = at.below();
                } else {
                    above.putOn(at.below());
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a lost hold out whose levels nobody will unlock. What was to keep it and had no answer may have come to Redis all the
     * same, or come yet: it is told that nobody has the hold.
     */
    void forget(Hold hold) {
        synchronized (this) {
            if (remove(hold) && hold.mayOutliveItsLease()) {
                unsettled(hold.tenure());
            }
        }
        drain();
    }

    /**
     * Redis says that it has this hold, which is lost here, for all the longer: it is told that nobody has it, unless its owner may
     * be at work still.
     */
    void takeBack(Hold lost) {
        if (!lost.isLeftToRunOut()) {
            unsettled(lost.tenure());
        }
    }

    /** {@return the hold of the level that the next unlock belongs to, lost or not; null if the owner has none} */
    synchronized @Nullable Hold top() {
        return top;
    }

    /** {@return the hold that the owner has now, as far as can be known here; null if it has none or its lease is lost} */
    @Nullable
    Hold held() {
        Hold latest = top();
        return latest != null && latest.isTaken() && latest.loss() == null && latest.isValid() ? latest : null;
    }

    /**
     * {@return the hold that an acquire of the owner enters again; null if it has none or its lease is lost} Other than
     * {@link #held} it does not doubt a hold while the machine seems to have been suspended: the re-entry asks Redis.
     */
    @Nullable
    Hold reentrable() {
        Hold latest = top();
        return latest != null && latest.loss() == null && latest.lease().isRunning() ? latest : null;
    }

    /** {@return all holds, the lost ones too, the latest first} */
    synchronized List<Hold> holds() {
        List<Hold> all = new ArrayList<>();
        for (Hold at = top; at != null; at = at.below()) {
            all.add(at);
        }
        return all;
    }

    synchronized boolean isRetired() {
        return retired;
    }

    /** {@return whether nothing is held and nothing under way; lost holds do not count} */
    synchronized boolean isIdle() {
        return running == null && firstWaiting == null && holds().stream().allMatch(hold -> hold.loss() != null);
    }

    /**
     * Settles what is unsettled after all that is under way.
     *
     * @return completes when that was tried
     */
    CompletableFuture<@Nullable Void> finish() {
        Settle last;
        synchronized (this) {
            last = new Settle(this, unsettled);
            unsettled = 0;
        }
        if (!submit(last)) {
            last.skip();
        }
        return last.ended();
    }

    @Override
    public String toString() {
        return "lock '" + lock + "' of owner " + ownerName();
    }
}
