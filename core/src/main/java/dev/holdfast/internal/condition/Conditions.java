package dev.holdfast.internal.condition;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisitions;
import dev.holdfast.internal.acquire.BlockingAcquisition;
import dev.holdfast.internal.condition.ConditionScripts.Signal;
import dev.holdfast.internal.condition.ConditionScripts.Wait;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.Holds;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Ownership;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Admission;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conditions of the locks of a client: for each lock that has had waiters here within a watchdog timeout, a {@link ConditionSet}.
 *
 * <p>A thread that waits releases all its levels at once, as a last unlock does, and acquires the lock again when its wait is over, as
 * any other caller. Returning means holding: if it cannot have the lock again, it gets an exception, and its levels are those of a
 * lost hold, so that each unlock in a {@code finally} finds its own.
 */
public final class Conditions {
    private static final Logger log = LoggerFactory.getLogger(Conditions.class);

    /** A wait without an end. */
    public static final long FOR_EVER = Long.MAX_VALUE;

    private final Session session;
    private final Homes homes;
    private final Holds holds;
    private final Acquisitions acquisitions;
    private final ConcurrentMap<ConditionKey, ConditionSet> sets = new ConcurrentHashMap<>();

    /** The epochs of nodes that are known to know the script that precedes a release. */
    private final Map<Home, Long> known = Collections.synchronizedMap(new WeakHashMap<>());

    /** Completes when each command that wakes all is answered. Guarded by this. */
    private CompletableFuture<?> rousing = CompletableFuture.completedFuture(null);

    /** Whether it was logged that signals may be lost. */
    private final AtomicBoolean lost = new AtomicBoolean();

    public Conditions(Session session, Homes homes, Holds holds, Acquisitions acquisitions) {
        this.session = session;
        this.homes = homes;
        this.holds = holds;
        this.acquisitions = acquisitions;
    }

    Session session() {
        return session;
    }

    Homes homes() {
        return homes;
    }

    void remove(ConditionSet set) {
        sets.remove(set.key(), set);
    }

    LockException closed(ConditionKey key) {
        return session.exceptions().conditionClosed(key);
    }

    // --- Signals.

    /**
     * Signals a waiter, or all, when the lock is released.
     *
     * @throws IllegalMonitorStateException if the owner does not hold the lock, or has lost it: then all wake
     */
    public void signal(LockKey lock, long ownerId, String condition, boolean all) {
        ConditionKey key = new ConditionKey(lock);
        Hold hold = requireHeld(lock, ownerId);
        part(hold, key).signal(new Signal(condition, all));
    }

    /**
     * {@return the hold of the owner}
     *
     * @throws IllegalMonitorStateException if it has none, or has lost it: then all wake, since it may have changed what they wait for
     */
    public Hold requireHeld(LockKey lock, long ownerId) {
        try {
            return holds.requireHeld(lock, ownerId);
        } catch (LeaseLostException e) {
            rouseAll(new ConditionKey(lock));
            throw e;
        } catch (IllegalMonitorStateException e) {
            throw new IllegalMonitorStateException(
                    e.getMessage() + "; a condition needs that the calling thread holds it by lock()");
        }
    }

    /** Has all wake that wait for the conditions of this lock, in all clients. */
    void rouseAll(ConditionKey key) {
        ConditionSet waitsHere = sets.get(key);
        (waitsHere == null ? new ConditionSet(this, key) : waitsHere).rouseAll();
    }

    private ConditionPart part(Hold hold, ConditionKey key) {
        if (hold.partingOr(() -> new ConditionPart(this, key)) instanceof ConditionPart part) {
            return part;
        }
        throw session.exceptions().notHeld(hold.lock(), hold.ownerId());
    }

    /** {@return the command that precedes the release of this hold} */
    Call part(ConditionKey key, Home to, Claim hold, List<Signal> signals, @Nullable Wait wait, Call.Callback caller) {
        Long epoch = known.get(to);
        boolean isKnown = epoch != null && epoch == to.epochNumber();
        return ConditionScripts.part(
                key,
                hold,
                signals,
                wait,
                to.publishing().isCounted(),
                session.watchdogTimeout().toMillis(),
                !isKnown,
                caller);
    }

    void noteKnown(Home by, Call answered, boolean isDone) {
        if (isDone) {
            known.put(by, answered.epochNumber());
        } else {
            known.remove(by);
        }
    }

    /** This command wakes all: a client that is being closed awaits it. */
    synchronized void noteRousing(CompletableFuture<?> command) {
        rousing = CompletableFuture.allOf(rousing, command);
    }

    /** Redis may have executed no command that carries a signal: its waiters wake as a last resort. */
    void signalsLost(ConditionKey key, Throwable why) {
        if (!session.admission().isClosing() && lost.compareAndSet(false, true)) {
            log.warn(
                    "Signals to waiters for conditions of {} may be lost; without another one, these wake after a minute: {}",
                    key.lock().subject(),
                    why.getMessage());
        }
    }

    // --- Waits.

    /** How a wait has ended. */
    public enum Outcome {
        /** It was signalled, or woken in doubt. */
        WOKEN,
        TIMED_OUT,
        /** It was interrupted before it was signalled. */
        INTERRUPTED
    }

    /**
     * Waits for a condition, and holds the lock again when it returns.
     *
     * @param waitNanos at most, or {@link #FOR_EVER}
     * @throws IllegalMonitorStateException if the owner does not hold the lock, or has lost it
     * @throws LockException if Redis failed: the owner holds the lock if its unlock succeeds; otherwise it is lost
     */
    public Outcome await(LockKey lock, long ownerId, String condition, long waitNanos, boolean interruptible) {
        ConditionKey key = new ConditionKey(lock);
        Hold hold = requireHeld(lock, ownerId);
        if (interruptible && Thread.currentThread().isInterrupted()) {
            return Outcome.INTERRUPTED;
        }
        if (session.admission().isClosing()) {
            throw Admission.clientIsClosed();
        }
        // If the levels are to be lost ones, their unlocks look them up in the lane, which is kept for that.
        OwnerLane lane = hold.lane();
        if (!lane.pin()) {
            throw session.exceptions().notHeld(lock, ownerId);
        }
        ConditionSet set = entered(key);
        try {
            if (!listens(set, interruptible)) {
                return Outcome.INTERRUPTED;
            }
            Wait wait = new Wait(session.owners().name(ownerId), session.nextTenure(), condition);
            return new Awaiting(set, hold, wait, waitNanos).run(interruptible);
        } finally {
            set.leave(ownerId);
            lane.unpin();
            lane.rest();
        }
    }

    /** {@return true when signals can be received; false if the thread is interrupted before} The lock is still held. */
    private boolean listens(ConditionSet set, boolean interruptible) {
        CompletableFuture<Void> listening = set.listening();
        long beganNanos = session.now();
        Blocking.atMost(listening, Duration.ofNanos(session.outageNanos()), interruptible);
        if (listening.isDone()) {
            Blocking.forResult(listening);
            return true;
        }
        if (interruptible && Thread.currentThread().isInterrupted()) {
            return false;
        }
        throw session.exceptions().unanswered(set.key(), session.now() - beganNanos, null);
    }

    private ConditionSet entered(ConditionKey key) {
        ConditionSet set;
        do {
            set = sets.computeIfAbsent(key, each -> new ConditionSet(this, each));
        } while (!set.enter());
        return set;
    }

    /** One wait of one thread. */
    private final class Awaiting extends ConditionWaiter {
        private final ConditionSet set;
        private final Hold hold;
        private final int levels;
        private final LeaseRequest lease;
        private final Thread thread = Thread.currentThread();

        /** Whether the release is submitted: a request of the lock before would enter the hold that is about to be released. */
        private volatile boolean releasing;

        /** Null unless the lock was requested where the wait ended. */
        private volatile @Nullable BlockingAcquisition again;

        Awaiting(ConditionSet set, Hold hold, Wait wait, long waitNanos) {
            super(set, wait, waitNanos);
            this.set = set;
            this.hold = hold;
            this.levels = hold.levels();
            this.lease = hold.leaseOfAll();
        }

        Outcome run(boolean interruptible) {
            part(hold, set.key()).await(this);
            set.add(hold.ownerId(), this);
            if (session.admission().isClosing()) {
                failed(closed(set.key()));
            }
            CompletableFuture<@Nullable Void> released = release();
            releasing = true;
            End end;
            try {
                end = join(interruptible);
            } catch (Throwable e) {
                giveUp();
                throw e;
            }
            if (end == End.LOST) {
                // What follows from its loss would forget the levels that it has again.
                Blocking.atMost(released, Duration.ofNanos(session.commandTimeoutNanos()));
                hold.returnLost(levels, LossReason.GONE);
                throw hold.exceptionForEnd();
            }
            holdAgain();
            RuntimeException failure = failure();
            if (failure != null) {
                throw failure;
            }
            return switch (end) {
                case TIMED_OUT -> Outcome.TIMED_OUT;
                case INTERRUPTED -> Outcome.INTERRUPTED;
                default -> Outcome.WOKEN;
            };
        }

        /** {@return completes when the lock is released} A thread that waits for long keeps no more of the release. */
        @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
        private CompletableFuture<@Nullable Void> release() {
            Release release = Release.ofAll(hold);
            if (!hold.lane().submit(release)) {
                lost();
            }
            release.outcome().whenComplete((released, failure) -> {
                if (failure instanceof LeaseLostException) {
                    lost();
                } else if (failure != null) {
                    roused();
                }
            });
            return release.outcome();
        }

        /**
         * The lock is requested while the thread is woken, which takes as long as the reply. Where that fails, the thread does so, as
         * each other thread of this client whose wait ends meanwhile: it finds the queue of the lock then, and sends nothing.
         */
        @Override
        void ended() {
            if (releasing && !isLost() && set.goesAhead(this)) {
                try {
                    again = acquireAgain();
                } catch (RuntimeException e) {
                    log.debug(
                            "The thread itself requests {} again: {}",
                            hold.lock().subject(),
                            e.getMessage());
                }
            }
        }

        private BlockingAcquisition acquireAgain() {
            AcquireRequest wanted =
                    new AcquireRequest(hold.lock(), hold.ownerId(), Ownership.THREAD, lease, AcquireRequest.FOR_EVER);
            return acquisitions.begin(new BlockingAcquisition(acquisitions, wanted, thread));
        }

        private void holdAgain() {
            BlockingAcquisition begun = again;
            if (begun == null && session.admission().isClosing()) {
                hold.returnLost(levels, LossReason.CLOSED);
                throw closed(set.key());
            }
            @Nullable Hold granted;
            try {
                granted = (begun == null ? acquireAgain() : begun).await(mine -> mine);
            } catch (RuntimeException | Error e) {
                hold.returnLost(levels, LossReason.UNREACHABLE);
                // It may have been signalled, and nobody else was.
                set.rouseAll();
                throw e;
            }
            if (granted == null) {
                throw AcquireRequest.neverRefused();
            }
            granted.restore(levels, lease);
        }

        /** The thread has failed while it waited: it would not release the lock, and what had woken it is for others. */
        private void giveUp() {
            lost();
            session.deadlines().cancel(this);
            whenOver(() -> {
                BlockingAcquisition begun = again;
                if (begun != null) {
                    begun.decline();
                }
                if (!isLost()) {
                    set.rouseAll();
                }
            });
        }
    }

    // --- The client.

    /** These have moved to other nodes. */
    public void moved(Predicate<SynchronizerKey> moved) {
        sets.values().stream().filter(set -> moved.test(set.key())).forEach(ConditionSet::moved);
    }

    /** Fails all that wait. */
    public void stopWaiting() {
        sets.values().forEach(ConditionSet::stopWaiting);
    }

    /** {@return what is awaited, each for one lock: all wake, and the client is no longer registered} Its holds are lost. */
    public Stream<CompletableFuture<?>> close() {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        sets.values().forEach(set -> ends.add(set.closed()));
        synchronized (this) {
            ends.add(rousing);
        }
        return ends.stream();
    }

    /** {@return the number of threads that wait for a condition} */
    public long waiters() {
        return sets.values().stream().mapToLong(ConditionSet::size).sum();
    }

    /** {@return the number of locks for whose conditions threads wait, or have waited within a watchdog timeout} */
    public int size() {
        return sets.size();
    }
}
