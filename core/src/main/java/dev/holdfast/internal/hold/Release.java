package dev.holdfast.internal.hold;

import dev.holdfast.LeaseLoss;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.ReleaseUnconfirmedException;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.watchdog.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Releases one level of a hold, and with its last level the lock. If other owners of this client wait for the lock, it
 * is handed off instead, by a {@code Handoff}. If the receiver starts before the reply, the release leaves the lane at
 * once, since the chain that the handoff is part of determines its outcome.
 *
 * <pre>
 *        no waiter here, or a downgrade: sent     HELD, or refused, or not held
 *   PENDING --------------------------> PENDING --------------------------------> ended
 *     |                                    |  no reply                              ^  ^
 *     |                                    +----------> UNCERTAIN, sent again ------+  |
 *     | a waiter here, which starts at once                                            |
 *     +------------------------------------------> HANDED_OFF -------------------------+
 * </pre>
 *
 * <p>The last release of a write hold under which its owner reads is a {@link Downgrade}, which is sent in its place and is never
 * handed off. That of a hold which is a part of another one is sent by the last part.
 *
 * <p>However it ends, the level is gone: an unlock that throws still was the unlock of its lock. A release whose reply
 * was lost is sent again; if that then finds nothing, the first one was executed. If no reply can be had at all, or
 * Redis refuses the release, the lane keeps trying to release the tenure until its lease has ended.
 *
 * @see "RefusedReleaseTest, UnconfirmedReleaseTest, DoubtedReleaseTest"
 */
public final class Release extends LaneCommand {
    /** In place of the number of a level. */
    private static final long ALL = -1;

    private enum State {
        /** The level is removed, or about to be; no command was sent that may have been executed. */
        PENDING,
        /** A command was sent whose outcome is unknown: the lock may be released already. */
        UNCERTAIN,
        /** The lock was handed off, and the release has left its lane; the chain of the handoff decides the outcome. */
        HANDED_OFF
    }

    private final CompletableFuture<@Nullable Void> outcome = new CompletableFuture<>();
    private final @Nullable Hold given;

    /** The level to release when its caller did not want it; 0 for the last one, {@link #ALL} for all of them. */
    private final long unwantedLevel;

    /** Written by the running command, when it has removed the level; read by any thread that waits for that. */
    private volatile @Nullable Hold hold;

    /** What the submitting thread awaits, if it found that the release had not begun; null otherwise. */
    private volatile @Nullable CompletableFuture<@Nullable Void> begun;

    // Used by the running command.
    private State state = State.PENDING;

    /** Written before the hold is, which other threads read first. */
    private int holdsLeft;

    /** Whether the hold was not known to be lost when its level was removed, but did not count as valid either. */
    private boolean inDoubt;

    /** What it sends in place of a release; null if its owner does not read. */
    private @Nullable Downgradable downgrade;

    /** What its hold leaves to do, until that is sent. */
    private @Nullable Parting parting;

    /** Whether it has left its lane and keeps it pinned. Guarded by the lane. */
    private boolean pinsLane;

    private Release(OwnerLane lane, @Nullable Hold given, long unwantedLevel) {
        super(lane);
        this.given = given;
        this.unwantedLevel = unwantedLevel;
    }

    /** {@return the release of the level that the owner entered last at the time when the command runs} */
    static Release ofNewestLevel(OwnerLane lane) {
        return new Release(lane, null, 0);
    }

    /** {@return the release of all levels of this hold; if it is lost, they stay} */
    public static Release ofAll(Hold hold) {
        return new Release(hold.lane(), hold, ALL);
    }

    /** {@return the release of a level of this hold, whichever hold is on top} */
    public static Release of(Hold hold) {
        return new Release(hold.lane(), hold, 0);
    }

    /**
     * Releases the newest level of a hold. A retired lane means that the hold was lost and forgotten, so there is
     * nothing left to release.
     *
     * @return completes with the outcome, on the thread that decided it
     */
    public static CompletableFuture<@Nullable Void> begin(Hold hold) {
        Release release = of(hold);
        if (!hold.lane().submit(release)) {
            return CompletableFuture.failedFuture(hold.exceptionFor(hold.lossNow(LossReason.GONE)));
        }
        return release.outcome();
    }

    /**
     * Releases a level that was granted to a caller that had given up. A retired lane means that there is nothing left
     * to release.
     */
    public static void beginUnwanted(Hold hold, long level) {
        hold.noteUnwanted();
        hold.lane().submit(new Release(hold.lane(), hold, level));
    }

    /**
     * {@return completes when the level has been removed from the hold, or there was none to remove} Called once at
     * most, by the thread that submitted the release.
     */
    CompletableFuture<@Nullable Void> begun() {
        CompletableFuture<@Nullable Void> awaited = new CompletableFuture<>();
        begun = awaited;
        // The running command writes the hold, or completes the outcome, before it reads what is awaited.
        if (hasBegun()) {
            awaited.complete(null);
        }
        return awaited;
    }

    boolean hasBegun() {
        return hold != null || outcome.isDone();
    }

    /** {@return completes when the outcome of the release is known, on the thread that decided it} */
    public CompletableFuture<@Nullable Void> outcome() {
        return outcome;
    }

    @Override
    protected void run() {
        Hold current = hold;
        if (current == null) {
            current = take();
            hold = current;
            CompletableFuture<@Nullable Void> awaited = begun;
            if (awaited != null) {
                awaited.complete(null);
            }
        }
        if (current == null) {
            return;
        }
        Parting left = parting;
        if (left != null) {
            parting = null;
            Home to = prepared();
            to.send(lock(), left.call(to, current.claim()));
        }
        SharedHold<Hold> whole = current.shared;
        if (whole != null) {
            leave(current, whole);
            return;
        }
        Downgradable reads = current.reads;
        if (reads != null && downgrade == null && holdsLeft == 0 && state == State.PENDING && reads.begin()) {
            downgrade = reads;
        }
        boolean wantedHere = downgrade == null
                && holdsLeft == 0
                && state == State.PENDING
                && lane().local().handOff(current, this);
        if (!wantedHere) {
            sendItself();
        }
    }

    /** Others have the lock as well: only the last of them releases it in Redis. */
    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    private void leave(Hold current, SharedHold<Hold> whole) {
        if (holdsLeft > 0) {
            succeed(current, null);
            return;
        }
        whole.leave(current, inDoubt).whenComplete((left, failure) -> {
            Throwable why = failure instanceof CompletionException ? failure.getCause() : failure;
            if (why == null) {
                succeed(current, null);
            } else if (why instanceof LeaseLostException lost) {
                gone(current, lost.loss().reason());
            } else {
                done();
                unconfirmed(
                        why instanceof LockException known
                                ? known
                                : new LockException(String.valueOf(why.getMessage()), why),
                        why instanceof ReleaseUnconfirmedException);
            }
        });
    }

    /** Sends the release; the lock is not handed off. */
    public void sendItself() {
        Downgradable instead = downgrade;
        if (instead != null) {
            send(instead.call(claim(held().tenure(), 0, 0), this).replicated());
            return;
        }
        sendRelease(claim(held().tenure(), holdsLeft, 0));
    }

    @Override
    @Nullable
    Hold ending() {
        Hold current = hold;
        return current != null && holdsLeft == 0 ? current : null;
    }

    private Hold held() {
        Hold current = hold;
        if (current == null) {
            throw new IllegalStateException("a release is sent for a hold");
        }
        return current;
    }

    /** Removes the level from its hold. Returns null if there is nothing to send. */
    private @Nullable Hold take() {
        Hold top = given == null ? lane().top() : given;
        if (top != null && unwantedLevel > 0) {
            top.takeUnwanted();
        }
        // A declined level may have been unlocked with the others before its own release runs.
        if (top == null || top.levels() == 0) {
            fail(exceptions().notHeld(lock(), lane().ownerId()));
            return null;
        }
        top.lease().expireIfDue();
        LeaseLoss lost = top.loss();
        inDoubt = lost == null && !top.isValid();
        if (unwantedLevel == ALL && lost != null) {
            top.loseParting();
            fail(top.exceptionFor(lost));
            return null;
        }
        if (leaves(top)) {
            holdsLeft = top.levels();
        } else {
            parting = top.takeParting();
            lost = top.end();
        }
        boolean reported = lost != null && unwantedLevel <= 0;
        if (reported || holdsLeft == 0) {
            top.cancelInterrupt();
        }
        if (lost == null) {
            return top;
        }
        Parting left = parting;
        if (left != null) {
            parting = null;
            left.lost();
        }
        // It may have been left after the loss was processed.
        top.loseParting();
        fail(top.exceptionFor(lost));
        return null;
    }

    /** {@return whether there is a level left} */
    private boolean leaves(Hold top) {
        if (unwantedLevel == ALL) {
            top.removeAll();
            return false;
        }
        return unwantedLevel == 0 ? top.leaveNewest() : top.leave(unwantedLevel);
    }

    @Override
    protected Answer read(Call call) {
        return Answer.of(call, held().tenure());
    }

    @Override
    protected void held(Call call, Answer answer) {
        Downgradable instead = downgrade;
        if (instead != null) {
            whenBelieved(call, instead.leaseNanos(), () -> downgraded(instead), this::giveUp);
            return;
        }
        Publication message = Publication.of(call);
        notePublication(message);
        if (message.next() == Publication.Next.ANYONE && message.receivers() > 0) {
            holds().published(lane().local(), message.receivers());
        }
        released(held());
    }

    private void downgraded(Downgradable instead) {
        instead.held(sentTo());
        lane().local().gone(held());
        released(held());
    }

    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        gone(held(), reason);
    }

    @Override
    protected void refused(Call call, Answer answer) {
        Hold current = held();
        if (holdsLeft == 0) {
            OrphanRelease.retryRefused(lane(), current.tenure(), current.latestEndNanos(), call);
        }
        done();
        downgradeFailed(LossReason.REFUSED);
        refused(call);
    }

    private void downgradeFailed(LossReason reason) {
        Downgradable instead = downgrade;
        if (instead != null) {
            instead.failed(reason);
        }
    }

    @Override
    protected void unknown(Call call) {
        sendAgain(call);
    }

    /** The outcome of the call is unknown: it may have released the lock, or handed it off. */
    public void sendAgain(Call unknown) {
        state = State.UNCERTAIN;
        tryLater(unknown, this::giveUp);
    }

    // --- While the lock is being handed off.

    /** The receiver starts, and the chain decides the outcome later. {@link #leave} is owed. */
    public void handedOff() {
        state = State.HANDED_OFF;
        synchronized (lane()) {
            pinsLane = lane().pin();
        }
    }

    public void leave() {
        done();
    }

    /** This home has acknowledged that the lock was handed off, which {@linkplain Holds#noteReleased was noted}. */
    public void handoffConfirmed(Home by) {
        succeed(held(), by);
    }

    public void handoffRefuted(LossReason reason) {
        gone(held(), reason);
    }

    /**
     * The handoff is unanswered, and will be settled with its chain; the caller waits for that no longer than for any
     * release.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // cancelling a deadline does not fail
    public void unanswered(Call call) {
        home().noteOutcome(call);
        Throwable cause = call.cause();
        Deadline limit = Deadline.of(() -> abandon(cause));
        if (session().deadlines().schedule(limit, untilNanos())) {
            outcome.whenComplete((released, failure) -> session().deadlines().cancel(limit));
        } else {
            abandon(cause);
        }
    }

    /** The outcome of the handoff will not be known in time. */
    public void abandon(@Nullable Throwable cause) {
        leaveLane();
        unconfirmed(exceptions().releaseUnanswered(lock(), lane().ownerId(), waitedNanos(), cause), true);
    }

    /** Redis has refused the handoff. */
    public void handoffRefused(Call call) {
        leaveLane();
        refused(call);
    }

    /** If the key is no lock any more, it is not known for how long the hold has protected its owner. */
    private void refused(Call call) {
        explain(call, why -> unconfirmed(why, !LockExceptions.isOfOtherProgram(call)));
    }

    @Override
    protected void giveUp(Throwable cause) {
        Hold current = hold;
        if (current != null && holdsLeft == 0) {
            lane().noteOrphan(current);
        }
        leaveLane();
        downgradeFailed(LossReason.UNREACHABLE);
        unconfirmed(exceptions().releaseUnanswered(lock(), lane().ownerId(), waitedNanos(), cause), true);
    }

    /**
     * The release is not confirmed. Later the chain of its handoff may find out what has become of it.
     *
     * @param wasHeld whether nothing but the release is in question
     */
    private void unconfirmed(RuntimeException why, boolean wasHeld) {
        Hold current = hold;
        RuntimeException failure = wasHeld && !inDoubt ? LockExceptions.unconfirmed(why) : why;
        if (current != null && holdsLeft == 0 && unwantedLevel <= 0 && !outcome.isDone()) {
            holds().unconfirmed(current, failure);
        }
        outcome.completeExceptionally(failure);
    }

    private void gone(Hold current, LossReason reason) {
        downgradeFailed(reason);
        if (state == State.UNCERTAIN && holdsLeft == 0 && !inDoubt) {
            released(current);
            lane().local().wake();
            return;
        }
        LeaseLoss loss = current.lossNow(reason);
        if (unwantedLevel <= 0 && (holdsLeft == 0 || session().awaitsReleases())) {
            current.cancelInterrupt();
        }
        if (holdsLeft == 0) {
            holds().onLost(current, loss);
        } else {
            current.lose(reason);
        }
        fail(current.exceptionFor(loss));
    }

    private void released(Hold current) {
        if (holdsLeft == 0) {
            holds().noteReleased(current, sentTo());
        }
        succeed(current, sentTo());
    }

    /** @param by the home that has confirmed it; null if it needed no confirmation */
    private void succeed(Hold current, @Nullable Home by) {
        if (holdsLeft == 0 && by != null) {
            holds().releaseIfMoved(current, by);
            holds().releaseConfirmed(by);
        }
        if (holdsLeft == 0 && unwantedLevel > 0) {
            session().events().orphanReleased(lock(), lane().ownerId());
        } else if (holdsLeft == 0 && !outcome.isDone() && !current.isOfGroup) {
            session().events().released(lock(), lane().ownerId(), current.sinceNanos());
            current.endRecord("RELEASED");
        }
        leaveLane();
        outcome.complete(null);
    }

    private void fail(RuntimeException why) {
        leaveLane();
        outcome.completeExceptionally(why);
    }

    /**
     * Leaves the lane. A release that was handed off has left it before: only its pin is removed, at the first outcome.
     */
    private void leaveLane() {
        if (state != State.HANDED_OFF) {
            done();
            return;
        }
        synchronized (lane()) {
            if (pinsLane) {
                pinsLane = false;
                lane().unpin();
            }
        }
        lane().rest();
    }

    @Override
    public String toString() {
        return "release of " + lane();
    }
}
