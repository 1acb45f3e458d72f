package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.failover.RecentReleases;
import dev.holdfast.internal.failover.Settling;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Settles;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.node.UnconfirmedReleases;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.Blocking;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.KeptLease;
import dev.holdfast.watchdog.LeaseKeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The holds of a client: their lanes, the keeper that renews their leases, and the lost ones that are not unlocked yet.
 * Owners release their levels through it. Reports how each hold fares.
 */
public final class Holds {
    private static final Logger log = LoggerFactory.getLogger(Holds.class);

    final Session session;
    final Homes homes;
    private final ObjIntConsumer<LocalLock> onPublished;
    private final LeaseRequest watchedLease;
    final LocalLocks locks = new LocalLocks(this);
    private final LostHolds lostHolds = new LostHolds();
    private final LeaseKeeper<Hold> keeper;
    final Settling settling;
    private final UnconfirmedReleases unconfirmed;

    /**
     * @param onPublished notified of how many clients received the message of a release of a lock that has no successors
     * @param keeper keeps the leases of these holds, and of no others
     */
    public Holds(Session session, Homes homes, ObjIntConsumer<LocalLock> onPublished, LeaseKeeper<Hold> keeper) {
        this.session = session;
        this.homes = homes;
        this.onPublished = onPublished;
        this.watchedLease = LeaseRequest.watched(session.watchdogTimeout());
        this.keeper = keeper;
        this.settling = new Settling(session, homes);
        this.unconfirmed = new UnconfirmedReleases(session, homes);
    }

    public Session session() {
        return session;
    }

    /** {@return what locks of one home have in common that one command can be about} */
    public int group(LockKey lock) {
        return homes.group(lock);
    }

    /** {@return what puts locks right after a failover} */
    public Settling settling() {
        return settling;
    }

    public LocalLocks locks() {
        return locks;
    }

    /** The message of a release was received by so many clients. */
    void published(LocalLock lock, int clients) {
        if (lock.successors() == null) {
            onPublished.accept(lock, clients);
        }
    }

    /** {@return until when a hold is valid that has been confirmed for this lease, by a command sent at this time} */
    public long validUntilNanos(long sentNanos, LeaseRequest lease) {
        return keeper.validUntilNanos(sentNanos, lease.nanos());
    }

    /** {@return the lease of an acquire without an explicit one} */
    public LeaseRequest watchedLease() {
        return watchedLease;
    }

    /** {@return the lease of a hold that is to take the place of this one: watched as well, or the rest of an explicit one} */
    public LeaseRequest restOf(Hold hold) {
        return hold.isWatched()
                ? watchedLease
                : new LeaseRequest(
                        false, Math.max(1, LeaseRequest.millisOf(hold.lease().remainingNanos())));
    }

    /**
     * {@return the owner's newest hold}
     *
     * @throws IllegalMonitorStateException if the owner has none, or has lost it
     */
    public Hold requireHeld(LockKey lock, long ownerId) {
        OwnerLane lane = locks.lane(lock, ownerId);
        Hold top = lane == null ? null : lane.top();
        if (top == null || !top.isAccepted()) {
            throw session.exceptions().notHeld(lock, ownerId);
        }
        if (top.isOver()) {
            throw top.exceptionFor(top.lossOfOver());
        }
        return top;
    }

    // --- Releases on behalf of the owners.

    /** Releases the level that the owner entered last. */
    public CompletableFuture<@Nullable Void> release(LockKey lock, long ownerId) {
        Release release = submitRelease(lock, ownerId);
        if (release == null) {
            return CompletableFuture.failedFuture(session.exceptions().notHeld(lock, ownerId));
        }
        return release.outcome();
    }

    /**
     * Releases the level that the owner entered last. The caller blocks at least until the level is no longer the
     * owner's: then it does not count as held, and no interrupt for the hold comes later. Unless the client is configured
     * otherwise, it blocks until Redis has replied.
     */
    public void unlock(LockKey lock, long ownerId) {
        Release release = submitRelease(lock, ownerId);
        if (release == null) {
            throw session.exceptions().notHeld(lock, ownerId);
        }
        if (!release.hasBegun()) {
            Blocking.forResult(release.begun());
        }
        finish(release.outcome());
    }

    private @Nullable Release submitRelease(LockKey lock, long ownerId) {
        OwnerLane lane = locks.lane(lock, ownerId);
        Release release = lane == null ? null : Release.ofNewestLevel(lane);
        return lane != null && release != null && lane.submit(release) ? release : null;
    }

    /** Returns when the caller may continue; throws the failure, if the release has failed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // logging does not fail
    public void finish(CompletableFuture<@Nullable Void> release) {
        if (session.awaitsReleases() || release.isDone()) {
            Blocking.forResult(release);
        } else {
            release.whenComplete((released, failure) -> note(failure));
        }
    }

    /** A lost lease and an unconfirmed release are reported, and logged, where they are found. */
    private static void note(@Nullable Throwable failure) {
        boolean reported = failure instanceof LeaseLostException || failure instanceof LockException;
        if (failure != null && !reported) {
            log.warn("A release that is not awaited failed: {}", failure.getMessage());
        }
    }

    // --- Their leases.

    /**
     * Keeps a hold that Redis has granted.
     *
     * @param sentNanos the time just before the command was sent, or at which a release granted it at the earliest
     * @param lease as it was granted
     */
    public void keep(Hold hold, long sentNanos, LeaseRequest lease) {
        hold.attachLease(keeper.keep(hold, sentNanos, lease.nanos(), lease.watched()));
    }

    /** Keeps a hold that a handoff in flight transfers from another. */
    public KeptLease keepUnconfirmed(Hold hold, long sentNanos, LeaseRequest lease, Hold from) {
        return keeper.keepUnconfirmed(hold, sentNanos, lease.nanos(), lease.watched(), from.lease());
    }

    /**
     * A hold has begun, or its lease was extended: it is pushed and kept. If the lock has moved while the reply was on its
     * way, its new home is queried for it, as it was for the holds of that time.
     */
    public void verifyIfMoved(Hold hold) {
        if (homes.mayHaveMoved() && !hold.isConfirmedBy(homes.of(hold.lock()))) {
            keeper.verify(kept -> kept == hold);
        }
    }

    /** A new connection to this node accepts calls: it is queried for every hold of a lock that is there. */
    public void verify(Home node) {
        keeper.verify(hold -> homes.isHome(hold.lock(), node));
    }

    /**
     * These locks have moved to other nodes, which are queried for every hold of them. Recent releases of the others
     * are repeated.
     */
    public void moved(Predicate<LockKey> moved) {
        settling.moved(moved);
        for (OwnerLane lane : locks.lanes()) {
            if (moved.test(lane.lock())) {
                lane.local().settledAt(null);
                lane.holdsInRedis().forEach(hold -> hold.confirmedBy(null));
            }
        }
        keeper.verify(hold -> moved.test(hold.lock()));
        releaseAgain(moved);
    }

    /**
     * A command about a lock is about to be sent to this home. If that may have missed holds of this client, they are sent
     * to it before: the command could find the lock with an owner that has released it.
     */
    public void settle(LocalLock lock, Home home) {
        if (!homes.mayHaveMoved() || lock.isSettledAt(home)) {
            return;
        }
        List<Hold> missed = missed(lock, home);
        if (missed.isEmpty()) {
            lock.settledAt(home);
            // A hold may have begun in between, by a late reply of the former home, which has set that back before.
            missed = missed(lock, home);
        }
        missed.forEach(hold -> settle(hold, home, call -> home.send(hold.lock(), call)));
    }

    /** {@return the holds that the home has not confirmed} What is a part of another hold is not sent by itself. */
    private static List<Hold> missed(LocalLock lock, Home home) {
        return lock.lanes().stream()
                .flatMap(lane -> lane.holdsInRedis().stream())
                .filter(hold ->
                        hold.shared == null && hold.isSent() && !hold.isConfirmedBy(home) && hold.loss() == null)
                .toList();
    }

    /**
     * Does that for a hold, if this home has not confirmed it.
     *
     * @param to sends a command to the home
     */
    public void settle(Hold hold, Home home, Consumer<Call> to) {
        if (hold.isConfirmedBy(home) || hold.loss() != null || !(hold.lock().kind() instanceof Settles kind)) {
            return;
        }
        List<Claim> released = settling.released(hold.lock()).stream()
                .filter(each -> each.ownerId() != hold.ownerId() || each.tenure() < hold.tenure())
                .map(each -> each.claim(session))
                .toList();
        if (released.isEmpty()) {
            hold.lane().local().settledAt(home);
            return;
        }
        // As long as was requested, and not only as long as it is valid here: that ends earlier, since clocks drift.
        long leftNanos = Math.max(0, hold.requestedUntilNanos() - session.now());
        hold.extensionSent(session.now() + leftNanos);
        Claim claim = hold.lane()
                .claim(hold.tenure(), Math.max(1, hold.levels()), TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
        to.accept(kind.settle(released, claim, hold.hasToken() ? hold.drawn() : 0, call -> {
            hold.extensionAnswered(call);
            home.noteOutcome(call);
            if (call.outcome() == Call.Outcome.ANSWERED) {
                hold.lane().local().settledAt(home);
                if (call.number() == hold.tenure()) {
                    hold.confirmedBy(home);
                }
            }
        }));
    }

    /**
     * This home has acknowledged the release of a hold, or that the lock was handed off from it. To be called before another
     * command about the lock is sent: if the lock has another home by now, the end of the hold is sent there first.
     */
    public void noteReleased(Hold hold, Home by) {
        settling.released(hold.lock(), hold.ownerId(), hold.tenure(), hold.latestEndNanos(), by);
    }

    /** Redis has refused the release of a hold in full, or has not answered it. */
    void unconfirmed(Hold hold, RuntimeException why) {
        if (hold.isOfGroup) {
            return;
        }
        unconfirmed.add(hold.lock(), hold.ownerId(), hold.sinceNanos(), why);
        hold.endRecord("UNCONFIRMED");
    }

    /** This home has acknowledged a release. */
    void releaseConfirmed(Home by) {
        unconfirmed.confirmed(by);
    }

    /**
     * Releases it again if the lock has another home than this by now. What had been noted before the lock moved was released
     * again then.
     */
    void releaseIfMoved(Hold hold, Home by) {
        if (homes.mayHaveMoved() && by != homes.of(hold.lock())) {
            hold.lane().local().settledAt(null);
            OrphanRelease.begin(hold);
        }
    }

    /**
     * Releases again what was released of these locks, or denied. What this client holds of them by now is settled before.
     */
    private void releaseAgain(Predicate<LockKey> moved) {
        for (RecentReleases.Released each : settling.givenUp(moved)) {
            locks.submit(
                    each.lock(), each.ownerId(), lane -> new OrphanRelease(lane, each.tenure(), each.leaseEndNanos()));
        }
    }

    void onRenewed(Hold hold) {
        if (hold.isOfGroup) {
            return;
        }
        session.events().renewed(hold.lock(), hold.ownerId(), hold.sinceNanos());
    }

    void onAtRisk(Hold hold, long remainingNanos) {
        if (hold.isOfGroup) {
            return;
        }
        Duration remaining = Duration.ofNanos(remainingNanos);
        log.warn("{} is at risk: it could not be renewed, {} ms left", hold, remaining.toMillis());
        session.events().atRisk(hold.lock(), hold.ownerId(), hold.sinceNanos(), remaining);
    }

    void onOwnerDead(Hold hold, long remainingNanos) {
        long left = Duration.ofNanos(remainingNanos).toMillis();
        log.warn("{} is abandoned: its owner thread has died; it is renewed no more, lost in {} ms", hold, left);
    }

    void onLost(Hold hold, LeaseLoss loss) {
        if (!hold.isOfGroup) {
            session.events().lost(hold.lock(), hold.ownerId(), loss);
        }
        hold.endRecord("LOST");
        if (hold.isOfHandle()) {
            session.callbacks().run(() -> hold.lossSignal().complete(loss));
        }
        hold.loseParting();
        lostHolds.add(hold);
        Downgradable reads = hold.reads;
        if (reads != null) {
            reads.lost(loss.reason());
        }
        SharedHold<Hold> whole = hold.shared;
        if (whole == null) {
            hold.lane().local().lost(hold);
        } else {
            whole.lost(hold, loss.reason());
        }
        locks.noteEnd();
        String message = hold.exceptionFor(loss).getMessage();
        // That an explicit lease ends is what its owner has requested.
        boolean isExpected = loss.reason() == LossReason.EXPIRED && !hold.isWatched();
        if (isExpected || hold.isOfGroup) {
            log.debug("{}", message);
        } else {
            log.warn("{}", message);
        }
        if (settling.canMove() && whole == null && Hold.isDenied(loss.reason())) {
            denied(hold);
        }
    }

    /** A home has denied a hold, which is lost. The lock may have another home by now, which has it. */
    private void denied(Hold hold) {
        settling.denied(hold.lock(), hold.ownerId(), hold.tenure(), hold.latestEndNanos());
        OrphanRelease.begin(hold);
    }

    /** A hold that was lost has levels again, which are to be unlocked. */
    void keepLost(Hold hold) {
        lostHolds.add(hold);
    }

    /** {@return the number of holds whose leases are kept} */
    public int size() {
        return keeper.size();
    }

    /** {@return the number of lost holds that are not unlocked yet} */
    public int lost() {
        return lostHolds.size();
    }

    /**
     * Ends renewal, and reports the remaining holds as lost.
     *
     * @return completes, each for one lane, when its commands in progress have ended
     */
    public List<CompletableFuture<?>> close() {
        keeper.close();
        for (OwnerLane lane : locks.lanes()) {
            lane.holds().forEach(hold -> hold.lose(LossReason.CLOSED));
        }
        List<CompletableFuture<?>> ends = new ArrayList<>();
        locks.lanes().forEach(lane -> ends.add(lane.finish()));
        return ends;
    }
}
