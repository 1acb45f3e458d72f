package dev.holdfast;

import dev.holdfast.watchdog.KeptLease;
import dev.holdfast.watchdog.LeaseSubject;
import dev.holdfast.watchdog.LossCause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One uninterrupted hold of a lock by an owner: a tenure, with the levels it was entered. Made when Redis grants a first
 * acquire; ends with the release of its last level, or is lost.
 *
 * <pre>
 *   LIVE --- end(): the last level is being released ---> ENDED
 *     |
 *     +----- lost(): told by the keeper, once ---------> LOST, until each level was unlocked
 * </pre>
 *
 * <p>Which of the two happens is decided in one place, the {@link KeptLease}. A lost hold stays in its lane, so that each
 * unlock finds the level it belongs to.
 */
final class Hold extends HoldInRedis implements LeaseSubject {
    private final OwnerLane lane;
    private final long tenure;
    private final long sinceNanos;
    private final boolean handedOn;

    /** Written once, by the thread that has the keeper keep it; the keeper's own thread can be there before. */
    private volatile @Nullable KeptLease lease;

    /** The fencing token; 0 of a lock that is not fenced. Written before the hold is delivered. */
    private long token;

    /** How often the owner has entered. Guarded by the lane. */
    private int levels = 1;

    /** Null while every level was taken with a watched lease. Guarded by the lane. */
    private @Nullable ExplicitLevels explicitLevels;

    /** Null while every level was accepted, or declined. Guarded by the lane. */
    private @Nullable UndecidedLevels undecided;

    /** The hold that the owner lost and has yet to unlock below this one. Guarded by the lane. */
    private @Nullable Hold below;

    /** The owner, while every level came from a blocking call of it; null otherwise. Guarded by the lane. */
    private volatile @Nullable Thread thread;

    /** Of the {@link #thread} it began with, if that is to be interrupted when the hold is lost. */
    private final @Nullable LossInterrupt interrupt;

    /** Who it was granted to, until it is known whether he still wants it; null from then on. */
    private volatile @Nullable Acquisition offeredTo;

    /** Completes with the loss; only a handle's hold has one. */
    private final @Nullable CompletableFuture<LeaseLoss> lossSignal;

    /** The handle, which nothing but its user keeps from being collected. Written once, when it is handed over. */
    private volatile @Nullable LeaseRef handle;

    /** What Redis's answer said, for the keeper only knows that it was not ours. Written before the lease is lost. */
    private volatile LossReason reasonFromRedis = LossReason.GONE;

    /** Guarded by this; set once. */
    private @Nullable LeaseLoss loss;

    /** @param handedOn whether it was handed on to its owner by another of this client, and not acquired from Redis */
    Hold(OwnerLane lane, long tenure, long sinceNanos, Acquisition by, boolean handedOn) {
        super(sinceNanos + by.lease().nanos());
        this.lane = lane;
        this.tenure = tenure;
        this.sinceNanos = sinceNanos;
        this.handedOn = handedOn;
        Thread bound = by.boundThread();
        this.thread = bound;
        this.interrupt = bound != null && lane.engine().interruptsOnLoss() ? new LossInterrupt(bound) : null;
        this.offeredTo = by;
        this.lossSignal = by.ownership() == Ownership.HANDLE ? new CompletableFuture<>() : null;
        noteLevel(by);
    }

    void attachLease(KeptLease kept) {
        lease = kept;
    }

    /** Redis has granted it with this token; 0 where it has none. */
    void setToken(long drawn) {
        token = drawn;
    }

    /** {@return the token that Redis granted the hold with; only of a fenced lock's} */
    long token() {
        if (token == 0) {
            throw new IllegalStateException("a hold without a token is none of a fenced lock: " + this);
        }
        return token;
    }

    OwnerLane lane() {
        return lane;
    }

    @Nullable
    Hold below() {
        return below;
    }

    void setBelow(@Nullable Hold lower) {
        below = lower;
    }

    LockKey lock() {
        return lane.lock();
    }

    byte[] ownerField() {
        return lane.ownerField();
    }

    long tenure() {
        return tenure;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    boolean isHandedOn() {
        return handedOn;
    }

    KeptLease lease() {
        KeptLease kept = lease;
        if (kept == null) {
            throw new IllegalStateException("a hold is kept before it is used");
        }
        return kept;
    }

    boolean isValid() {
        return lease().isValid();
    }

    /** The one it was granted to has taken it. */
    void accepted() {
        offeredTo = null;
        if (interrupt != null) {
            interrupt.accepted();
        }
    }

    /** The owner has given the hold back, or is being told of the loss: it is not interrupted for it from now on. */
    void cancelInterrupt() {
        if (interrupt != null) {
            interrupt.cancel();
        }
    }

    /** {@return whether the owner knows of it: not while it may still turn out that its caller has given up} */
    boolean isAccepted() {
        Acquisition offered = offeredTo;
        return offered == null || offered.state() == Acquisition.State.GRANTED;
    }

    /** {@return whether the lease has run out or was lost, while there is a level that was not given back} */
    boolean isOver() {
        return levels() > 0 && (loss() != null || !lease().isRunning());
    }

    int levels() {
        synchronized (lane) {
            return levels;
        }
    }

    void enter(Acquisition by) {
        boolean renew;
        synchronized (lane) {
            levels++;
            noteLevel(by);
            if (by.boundThread() == null) {
                thread = null;
            }
            renew = isWatched();
        }
        if (by.boundThread() == null) {
            cancelInterrupt();
        }
        lease().watch(renew);
    }

    /** Takes a level away, and with it what it asked of the lease. False when it was the last one of all. */
    boolean leave(int level) {
        boolean renew;
        synchronized (lane) {
            if (explicitLevels != null) {
                explicitLevels.forget(level, levels);
            }
            levels--;
            if (levels == 0) {
                return false;
            }
            renew = isWatched();
        }
        lease().watch(renew);
        return true;
    }

    /** Notes what the level that was entered last asked of the lease, and whether its caller can still decline it. */
    private void noteLevel(Acquisition by) {
        if (by.isHandedOverLater()) {
            undecided = undecided == null ? new UndecidedLevels() : undecided;
            undecided.add();
        }
        LeaseRequest lease = by.lease();
        ExplicitLevels explicit = explicitLevels;
        if (explicit == null && !lease.watched()) {
            explicit = new ExplicitLevels();
            explicitLevels = explicit;
        }
        if (explicit != null) {
            explicit.note(levels, !lease.watched());
        }
    }

    /** The caller has accepted or declined a level that {@linkplain Acquisition#isHandedOverLater it could still decline}. */
    void decided() {
        List<Runnable> waiting = List.of();
        synchronized (lane) {
            UndecidedLevels open = undecided;
            if (open != null && open.decided()) {
                waiting = open.waiting();
                undecided = null;
            }
        }
        waiting.forEach(Runnable::run);
    }

    /**
     * Has the action run when no caller can decline a level any more, on the thread that decides.
     *
     * @return false if that is so now: the action is not run
     */
    boolean whenAllDecided(Runnable action) {
        synchronized (lane) {
            UndecidedLevels open = undecided;
            if (open != null) {
                open.whenAllDecided(action);
            }
            return open != null;
        }
    }

    /** {@return whether the lease has come to the end that it was given} The owner is told of that, but it is no alarm. */
    boolean ranOutAsMeant(LeaseLoss lost) {
        synchronized (lane) {
            return lost.reason() == LossReason.EXPIRED && !isWatched();
        }
    }

    private boolean isWatched() {
        ExplicitLevels explicit = explicitLevels;
        return explicit == null || explicit.count() < levels;
    }

    /** Redis's answer says why the hold is not there any more; the keeper will be told that it is not. */
    void recordReason(LossReason reason) {
        reasonFromRedis = reason;
    }

    /** Redis said that the hold is not there any more. */
    void lose(LossReason reason) {
        recordReason(reason);
        lease().lose();
    }

    /** The hold is handed over as this handle; when that is collected, nobody can give the hold back any more. */
    void attachHandle(LeaseRef lease) {
        handle = lease;
    }

    boolean isOfHandle() {
        return lossSignal != null;
    }

    /** {@return completes with the loss; only of a handle's hold} */
    CompletableFuture<LeaseLoss> lossSignal() {
        CompletableFuture<LeaseLoss> signal = lossSignal;
        if (signal == null) {
            throw new IllegalStateException("only a handle's hold signals its loss");
        }
        return signal;
    }

    /** {@return what is known about the loss, or null while the hold is not lost; the keeper's own call may be a moment behind} */
    @Nullable
    LeaseLoss loss() {
        LeaseLoss known = known();
        KeptLease kept = lease;
        return known == null && kept != null && kept.loss() != null ? lossNow(LossReason.EXPIRED) : known;
    }

    private synchronized @Nullable LeaseLoss known() {
        return loss;
    }

    /** {@return when its lease has ended in Redis at the latest; a command that was sent arrives within the command timeout} */
    long latestEndNanos() {
        return askedUntilNanos() + lane.engine().commandTimeoutNanos();
    }

    /** {@return whether Redis may have the hold, which is lost, for longer than its lease was known to be} */
    boolean mayOutliveItsLease() {
        LeaseLoss lost = loss();
        return lost != null
                && switch (lost.reason()) {
                    case UNREACHABLE -> true;
                    case REFUSED -> isExtensionPending() || handedOn;
                    case EXPIRED -> isExtensionPending();
                    case TAKEN, GONE, CLOSED -> false;
                };
    }

    /** {@return whether it was lost because the client was closed} Its owner may be at work still, and to release it lets another in. */
    boolean isLeftToRunOut() {
        LeaseLoss lost = loss();
        return lost != null && lost.reason() == LossReason.CLOSED;
    }

    /**
     * {@return the loss of a hold that is lost} The keeper's own call may be a moment behind; whoever comes first writes it
     * down, and what the keeper says is the reason.
     *
     * @param reason of a loss that the keeper does not know of
     */
    LeaseLoss lossNow(LossReason reason) {
        LeaseLoss known = known();
        if (known != null) {
            return known;
        }
        KeptLease kept = lease;
        LossCause how = kept == null ? null : kept.loss();
        LeaseLoss found = describeLoss(how == null ? reason : reasonOf(how));
        synchronized (this) {
            if (loss == null) {
                loss = found;
            }
            return loss;
        }
    }

    /**
     * {@return the loss of a hold {@linkplain #isOver that is over}} One whose time has passed is lost now, and not at the
     * next tick.
     */
    LeaseLoss lossOfOver() {
        lease().expireIfDue();
        return lossNow(LossReason.EXPIRED);
    }

    private LeaseLoss describeLoss(LossReason reason) {
        long now = lane.engine().now();
        KeptLease kept = lease;
        long confirmedNanos = kept == null ? sinceNanos : kept.lastConfirmedNanos();
        return LeaseLoss.of(reason, Duration.ofNanos(now - sinceNanos), Duration.ofNanos(now - confirmedNanos));
    }

    boolean ownerIsDead() {
        Thread owner = thread;
        return owner != null && !owner.isAlive();
    }

    @Override
    public boolean isAbandoned() {
        LeaseRef held = handle;
        return ownerIsDead() || (held != null && held.isDropped());
    }

    @Override
    public void abandoned(long remainingNanos) {
        if (ownerIsDead()) {
            lane.engine().onOwnerDead(this, remainingNanos);
        }
        warnIfDropped(remainingNanos);
    }

    private void warnIfDropped(long remainingNanos) {
        LeaseRef held = handle;
        if (held != null) {
            held.warnIfDropped(this, remainingNanos);
        }
    }

    @Override
    public void renewed() {
        lane.engine().onRenewed(this);
    }

    @Override
    public void atRisk(long remainingNanos) {
        lane.engine().onAtRisk(this, remainingNanos);
        LeaseRef held = handle;
        LeaseHandle told = held == null ? null : held.get();
        if (told != null) {
            told.atRisk();
        }
    }

    @Override
    public void lost(LossCause how) {
        LeaseLoss known = lossNow(reasonOf(how));
        if (interrupt != null) {
            interrupt.lost();
        }
        warnIfDropped(0);
        lane.engine().onLost(this, known);
    }

    private LossReason reasonOf(LossCause how) {
        return switch (how) {
            case EXPIRED, STALLED -> LossReason.EXPIRED;
            case UNANSWERED -> isRenewalRefused() ? LossReason.REFUSED : LossReason.UNREACHABLE;
            case REFUSED -> reasonFromRedis;
            case CLOSED -> LossReason.CLOSED;
        };
    }

    @Override
    public String toString() {
        return "lock '" + lock() + "' of owner " + lane.ownerName() + " (tenure " + tenure + ")";
    }
}
