package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.jfr.FlightEvents;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.DrawsTokens;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.watchdog.KeptLease;
import dev.holdfast.watchdog.LeaseSubject;
import dev.holdfast.watchdog.LossCause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One uninterrupted hold of a lock by an owner: a tenure and its re-entry levels. Created when a first acquire is
 * granted; ends with the release of its last level, or with its loss.
 *
 * <pre>
 *   LIVE --- end(): the last level is being released ---> ENDED
 *     |
 *     +----- lost(): called by the keeper, once -------> LOST, until each level is unlocked
 * </pre>
 *
 * <p>The {@link KeptLease} alone decides which of the two happens. A lost hold stays in its lane, so that each unlock
 * finds the level it belongs to.
 *
 * @see "HoldOrdersTest, HoldPolicyTest, LostLevelTest"
 */
public final class Hold extends LevelledHold implements LostHolds.LostHold, LeaseSubject {
    private final OwnerLane lane;
    private final long tenure;
    private final long sinceNanos;
    private final boolean handedOff;

    /** Written once, by the thread that registers the hold with the keeper, whose own thread may call it before. */
    private volatile @Nullable KeptLease lease;

    /** The number that the script has drawn with the tenure, such as the token; 0 if none. Written before the hold is delivered. */
    private long drawn;

    /** What it is a part of in Redis; null if it is a hold of its own there. */
    volatile @Nullable SharedHold<Hold> shared;

    /** Whether owners share it, each of which has a hold beside it, and is the one that is reported on. */
    final boolean isOfGroup;

    /** Whether it was released before it was lost, and its levels are only there to be unlocked. Guarded by the lane. */
    private boolean released;

    /** What its owner leaves to do for its end; null for nothing. Guarded by the lane. */
    private @Nullable Parting parting;

    /** The next hold of the owner's stack, which is lost and not yet unlocked; null if none. Guarded by the lane. */
    private @Nullable Hold below;

    private final HoldOwner owner;

    /** The event that ends with it; null before it is delivered. */
    private volatile FlightEvents.@Nullable Span recorded;

    /** The call it was granted to, until its caller has accepted the grant; null from then on. */
    private volatile @Nullable HoldRequest offeredTo;

    /** The reason in Redis's answer; the keeper only knows that the hold is gone. Written before the lease is lost. */
    private volatile LossReason reasonFromRedis = LossReason.GONE;

    /** Guarded by this; set once. */
    private @Nullable LeaseLoss loss;

    /** @param handedOff whether another owner of this client handed the lock off to it, instead of an acquire */
    public Hold(OwnerLane lane, long tenure, long sinceNanos, HoldRequest by, boolean handedOff) {
        super(lane, by.lease(), sinceNanos + by.lease().nanos());
        this.lane = lane;
        this.tenure = tenure;
        this.sinceNanos = sinceNanos;
        this.handedOff = handedOff;
        this.owner = HoldOwner.of(by, lane.holds.session.interruptsOnLoss());
        this.isOfGroup = owner instanceof HoldOwner.OfHandle handle && handle.isGroup;
        this.offeredTo = by;
    }

    /** It is a part of this hold in Redis. Called before it is kept, and when it becomes a part of another one. */
    public void share(SharedHold<Hold> whole) {
        shared = whole;
    }

    /** {@return what it is a part of in Redis; null if it is a hold of its own there} */
    public @Nullable SharedHold<Hold> shared() {
        return shared;
    }

    public void attachLease(KeptLease kept) {
        lease = kept;
    }

    /** An event lasts as long as the hold. */
    void isRecorded(FlightEvents.Span event) {
        recorded = event;
    }

    /** Ends the event that lasts as long as the hold, unless it has ended. */
    void endRecord(String outcome) {
        FlightEvents.Span event = recorded;
        if (event != null) {
            recorded = null;
            event.end(outcome);
        }
    }

    /** Sets the number that this home has drawn with the grant; 0 if none. */
    public void setDrawn(long number, Home by) {
        drawn = number;
        if (number != 0) {
            lane.holds.settling.drawn(lock(), number, by);
        }
    }

    /** This home has confirmed the hold. If the lock has another home by now, that proves nothing of the hold there. */
    public void confirmedWhileHome(Home by) {
        if (!lane.holds.homes.mayHaveMoved() || by == lane.home()) {
            confirmedBy(by);
        }
    }

    /** {@return whether the lock is fenced} */
    public boolean hasToken() {
        return drawn != 0 && lock().kind() instanceof DrawsTokens;
    }

    /** {@return the token that Redis granted the hold with; only for a fenced lock} */
    public long token() {
        if (!hasToken()) {
            throw new IllegalStateException("the hold has no token, since its lock is not fenced: " + this);
        }
        return drawn;
    }

    /** {@return the number that the script has drawn with the tenure; 0 if none} */
    public long drawn() {
        return drawn;
    }

    public OwnerLane lane() {
        return lane;
    }

    /**
     * {@return what its owner leaves to do for its end, which is this if there was nothing; null if it is being released}
     *
     * @param fresh has nothing to do yet
     */
    public @Nullable Parting partingOr(Supplier<? extends Parting> fresh) {
        synchronized (lane) {
            if (parting == null && levels() > 0) {
                parting = fresh.get();
            }
            return parting;
        }
    }

    /** {@return what is to be done for its end; null for nothing} Once. */
    @Nullable
    Parting takeParting() {
        synchronized (lane) {
            Parting taken = parting;
            parting = null;
            return taken;
        }
    }

    /** It is lost, and what is to be done for its end will not be sent. */
    void loseParting() {
        Parting left = takeParting();
        if (left != null) {
            left.lost();
        }
    }

    /** {@return the lease of a hold that is to take the place of this one, with as many levels} */
    public LeaseRequest leaseOfAll() {
        return leaseOfAll(lane.holds.watchedLease());
    }

    /** It was granted in the place of a hold that had so many levels: it has them, too. */
    public void restore(int levels, LeaseRequest ofEach) {
        setLevels(levels, ofEach);
    }

    /**
     * It was released or lost, and its owner should have the lock again, but does not: it is a lost one, so that each unlock finds the
     * level that it belongs to. If it was lost before, Redis may still have it.
     */
    public void returnLost(int levels, LossReason reason) {
        boolean wasLost = known() != null;
        lossNow(reason);
        synchronized (lane) {
            released = !wasLost;
            lane.remove(this);
            setLevels(levels, lane.holds.watchedLease());
            lane.push(this);
        }
        lane.holds.keepLost(this);
    }

    @Nullable
    Hold below() {
        return below;
    }

    void setBelow(@Nullable Hold lower) {
        below = lower;
    }

    public LockKey lock() {
        return lane.lock;
    }

    public long ownerId() {
        return lane.ownerId();
    }

    /** {@return the hold that Redis knows: what it is a part of, or itself} */
    public Hold inRedis() {
        SharedHold<Hold> whole = shared;
        return whole == null ? this : whole.hold();
    }

    /** {@return the tenure that Redis knows} */
    public long tenure() {
        SharedHold<Hold> whole = shared;
        return whole == null ? tenure : whole.hold().tenure;
    }

    /** {@return its claim in a command that changes neither its count nor its lease} */
    public Claim claim() {
        return claim(0);
    }

    /** {@return its claim in a command that extends its lease to at least this} */
    Claim claim(long leaseMillis) {
        return lane.claim(tenure, 0, leaseMillis);
    }

    public long sinceNanos() {
        return sinceNanos;
    }

    public boolean isHandedOff() {
        return handedOff;
    }

    public KeptLease lease() {
        KeptLease kept = lease;
        if (kept == null) {
            throw new IllegalStateException("a hold is kept before it is used");
        }
        return kept;
    }

    public boolean isValid() {
        return lease().isValid();
    }

    /** The caller has accepted the grant. */
    void accepted() {
        offeredTo = null;
        owner.accepted();
    }

    /**
     * The owner has released the hold, or an exception reports its loss: the owner is not interrupted for it any more.
     */
    void cancelInterrupt() {
        owner.cancelInterrupt();
    }

    /** {@return whether the caller accepted the grant; false until it can no longer turn out to have given up} */
    boolean isAccepted() {
        HoldRequest offered = offeredTo;
        return offered == null || offered.isGranted();
    }

    /**
     * {@return whether the lease has run out or was lost while a level was not released yet} A release removes the last level
     * before it ends the lease: a lease is no longer running here either if that has happened meanwhile.
     */
    public boolean isOver() {
        boolean hasEnded = loss() != null || !lease().isRunning();
        return hasEnded && levels() > 0;
    }

    public void enter(HoldRequest by) {
        boolean watched = addLevel(by.lease());
        if (by.boundThread() == null) {
            owner.unbind();
        }
        lease().watch(watched);
    }

    /** Removes the newest level and its lease policy. False when it was the last level. */
    public boolean leaveNewest() {
        return leave(Long.MAX_VALUE);
    }

    /** Removes a level, by its number, and its lease policy. False when it was the last level. */
    boolean leave(long level) {
        boolean levelsLeft;
        boolean watched;
        synchronized (lane) {
            levelsLeft = removeLevel(level);
            watched = isWatched();
        }
        if (levelsLeft) {
            lease().watch(watched);
        }
        return levelsLeft;
    }

    /** Records why the hold is gone according to Redis's answer; the caller then reports the loss to the keeper. */
    void recordReason(LossReason reason) {
        reasonFromRedis = atHome(reason);
    }

    /**
     * {@return the reason, or that the node which now has the lock has never known of the hold} If its lease has run out
     * by now, the node may have known of it.
     */
    private LossReason atHome(LossReason reason) {
        boolean negative = reason == LossReason.TAKEN || reason == LossReason.GONE;
        Home home = lane.home();
        boolean unknown = negative && !isConfirmedBy(home) && !home.isRestarted();
        boolean over = requestedUntilNanos() - lane.registry().session().now() <= 0;
        return unknown && !over ? LossReason.FAILOVER : reason;
    }

    /** Redis answered that the hold is gone. */
    public void lose(LossReason reason) {
        recordReason(reason);
        lease().lose();
    }

    /** The hold is delivered as this handle; once the handle is collected, no caller can release the hold any more. */
    public void attachHandle(LeaseRef lease) {
        handle().attach(lease);
    }

    boolean isOfHandle() {
        return owner instanceof HoldOwner.OfHandle;
    }

    /** {@return completes with the loss; only for a handle's hold} */
    public CompletableFuture<LeaseLoss> lossSignal() {
        return handle().lossSignal();
    }

    /**
     * Has the thread that detects the loss run this, and not the callback executor: for a call that was granted the hold
     * and has not delivered it. Only for a handle's hold.
     *
     * @param onLost runs when the hold is lost, now if it is lost already, possibly twice; it must not block. Null for
     *     nothing from now on
     */
    public void watch(@Nullable Runnable onLost) {
        handle().watch(onLost);
        if (onLost != null && loss() != null) {
            onLost.run();
        }
    }

    private HoldOwner.OfHandle handle() {
        if (owner instanceof HoldOwner.OfHandle handle) {
            return handle;
        }
        throw new IllegalStateException("the hold does not belong to a handle: " + this);
    }

    /** {@return the loss, or null while the hold is not lost} It may be known before the keeper calls {@link #lost}. */
    @Nullable
    public LeaseLoss loss() {
        LeaseLoss known = known();
        KeptLease kept = lease;
        return known == null && kept != null && kept.loss() != null ? lossNow(LossReason.EXPIRED) : known;
    }

    private synchronized @Nullable LeaseLoss known() {
        return loss;
    }

    /** {@return the latest end of its lease in Redis; a command that was sent arrives within the command timeout} */
    long latestEndNanos() {
        return requestedUntilNanos() + lane.holds.session.commandTimeoutNanos();
    }

    /**
     * Its last level is being released: it leaves its lane. If it was lost, and no reply has shown that Redis has not
     * got it any more, its tenure is to be released as an orphan.
     *
     * @return the loss; null if it was not lost
     */
    @Nullable
    LeaseLoss end() {
        boolean wasReleased = isReleased();
        lane.remove(this);
        LeaseLoss lost = lease().end() && !wasReleased ? null : lossNow(LossReason.EXPIRED);
        if (lost != null && !wasReleased && !isDenied(lost.reason())) {
            lane.noteOrphan(this);
        }
        return lost;
    }

    private boolean isReleased() {
        synchronized (lane) {
            return released;
        }
    }

    /** {@return whether a reply of Redis has shown that the hold is gone} */
    public static boolean isDenied(LossReason reason) {
        return reason == LossReason.TAKEN || reason == LossReason.GONE || reason == LossReason.FAILOVER;
    }

    /** {@return whether the hold is lost, but Redis may keep it for longer than its last confirmed lease} */
    boolean mayOutliveItsLease() {
        LeaseLoss lost = loss();
        return lost != null
                && !isReleased()
                && switch (lost.reason()) {
                    case UNREACHABLE -> true;
                    case REFUSED -> isExtensionPending() || handedOff;
                    case EXPIRED -> isExtensionPending();
                    case TAKEN, GONE, FAILOVER, CLOSED -> false;
                };
    }

    /**
     * {@return whether closing the client lost it} Its owner may still be at work, and a release would admit another
     * owner.
     */
    public boolean isLeftToRunOut() {
        LeaseLoss lost = loss();
        return lost != null && lost.reason() == LossReason.CLOSED;
    }

    /**
     * {@return the loss of a hold that is lost} It may be called before the keeper calls {@link #lost}; the first call
     * determines the loss. A reason known to the keeper has priority.
     *
     * @param reason used if the keeper does not know of the loss
     */
    public LeaseLoss lossNow(LossReason reason) {
        LeaseLoss known = known();
        if (known != null) {
            return known;
        }
        KeptLease kept = lease;
        LossCause how = kept == null ? null : kept.loss();
        LeaseLoss found = describeLoss(how == null ? atHome(reason) : reasonOf(how));
        synchronized (this) {
            if (loss == null) {
                loss = found;
            }
            return loss;
        }
    }

    /**
     * {@return the loss of a hold {@linkplain #isOver that is over}} If its lease has run out, it is lost by this call
     * and not only at the next tick.
     */
    public LeaseLoss lossOfOver() {
        lease().expireIfDue();
        return lossNow(LossReason.EXPIRED);
    }

    private LeaseLoss describeLoss(LossReason reason) {
        long now = lane.holds.session.now();
        KeptLease kept = lease;
        long confirmedNanos = kept == null ? sinceNanos : kept.lastConfirmedNanos();
        return LeaseLoss.of(reason, Duration.ofNanos(now - sinceNanos), Duration.ofNanos(now - confirmedNanos));
    }

    /** {@return the exception that reports this loss to the owner} */
    public LeaseLostException exceptionFor(LeaseLoss lost) {
        return lane.holds.session.exceptions().lost(lock(), ownerId(), lost);
    }

    /** {@return the exception for a hold that has ended: lost, or released} */
    public IllegalMonitorStateException exceptionForEnd() {
        LeaseLoss lost = loss();
        return lost == null ? lane.holds.session.exceptions().notHeld(lock(), ownerId()) : exceptionFor(lost);
    }

    @Override
    public boolean isUnlockable() {
        return !isOfHandle() && !owner.isDead() && levels() > 0;
    }

    @Override
    public void forget() {
        lane.forget(this);
    }

    @Override
    public boolean isAbandoned() {
        return owner.isDead() || owner.isDropped();
    }

    @Override
    public void abandoned(long remainingNanos) {
        if (owner.isDead()) {
            lane.holds.onOwnerDead(this, remainingNanos);
        }
        warnIfDropped(remainingNanos);
    }

    private void warnIfDropped(long remainingNanos) {
        if (owner.isDropped()) {
            owner.warnIfDropped(toString(), lane.holds.session.now() - sinceNanos, remainingNanos);
        }
    }

    @Override
    public void renewed() {
        SharedHold<Hold> whole = shared;
        if (whole != null) {
            whole.hold()
                    .lease()
                    .confirmed(
                            lease().lastConfirmedNanos(),
                            lane.holds.watchedLease().nanos());
        }
        lane.holds.onRenewed(this);
    }

    @Override
    public void atRisk(long remainingNanos) {
        lane.holds.onAtRisk(this, remainingNanos);
        owner.atRisk(lease());
    }

    @Override
    public void lost(LossCause how) {
        LeaseLoss known = lossNow(reasonOf(how));
        owner.lost();
        warnIfDropped(0);
        lane.holds.onLost(this, known);
    }

    private LossReason reasonOf(LossCause how) {
        return switch (how) {
            case EXPIRED, STALLED -> LossReason.EXPIRED;
            case UNANSWERED -> inRedis().isRenewalRefused() ? LossReason.REFUSED : LossReason.UNREACHABLE;
            case REFUSED -> reasonFromRedis;
            case CLOSED -> LossReason.CLOSED;
        };
    }

    @Override
    public String toString() {
        return lock().subject() + " of owner " + lane.ownerName() + " (tenure " + tenure() + ")";
    }
}
