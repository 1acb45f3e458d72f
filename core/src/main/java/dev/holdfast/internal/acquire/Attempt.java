package dev.holdfast.internal.acquire;

import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.hold.GrantingCommand;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.OrphanRelease;
import dev.holdfast.internal.hold.OwnerLane;
import dev.holdfast.internal.hold.Release;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlistment;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotReplicatedException;
import dev.holdfast.internal.redis.Silence;
import dev.holdfast.internal.wait.Busy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire: a first acquire with a tenure of its own, or a re-entry of the hold that the owner has when
 * the command is sent. If that hold is lost before the re-entry can be sent again, the attempt fails as if Redis had
 * reported the loss; it does not become a first acquire. Nor is a first acquire sent once the client is being closed.
 * An attempt never waits for a holder; it reports its outcome to the {@link Acquisition}.
 *
 * <p>What a node grants after a {@linkplain Silence silence} is not believed before others have said that it is still the
 * master. If they say that another one is, the attempt is made once more, there. If nobody says it, or only when half of the
 * lease has passed, it is made once more at the same node, where it adopts what was granted.
 *
 * @see "AbandonedCallTest, LateGrantTest, AcquisitionOrdersTest"
 */
public final class Attempt extends GrantingCommand {
    private final Acquisition acquisition;

    // Of the last command sent; written before that is sent.
    private @Nullable Hold reentered;
    private long tenure;

    /** Whether it asked for a place in the line of clients. */
    private boolean asked;

    /** Whether it was sent together with others. */
    private boolean joint;

    /** When it asked, by the wall clock. */
    private long askedWallMillis;

    Attempt(OwnerLane lane, Acquisition acquisition) {
        super(lane);
        this.acquisition = acquisition;
    }

    @Override
    protected void run() {
        if (!acquisition.isPending()) {
            done();
            return;
        }
        OwnerLane lane = lane();
        Hold held = lane.reentrable();
        Hold entering = acquisition.entering;
        if (entering != null && entering != held && entering.isOver()) {
            entering.lossOfOver();
            lostOnEntry(entering);
            return;
        }
        if (session().admission().refuses(held != null)) {
            done();
            acquisition.close();
            return;
        }
        CompletableFuture<?> handedOff = held == null ? lane.local().unansweredHandoff(lane.ownerId()) : null;
        if (handedOff != null) {
            runAfter(handedOff);
            return;
        }
        if (held != null) {
            held.extensionSent(session().now() + acquisition.lease().nanos());
            acquisition.entering = held;
        }
        reentered = held;
        tenure = held == null ? session().nextTenure() : held.tenure();
        int count = held == null ? acquisition.amount : held.levels() + 1;
        Claim claim = claim(tenure, count, acquisition.lease().millis());
        LockKey lock = lock();
        Kind kind = acquisition.kind;
        Enlists line = held == null && kind instanceof Enlists enlists ? enlists : null;
        Enlists.Unit unit = line == null ? null : acquisition.asksForPlace();
        asked = unit != null;
        askedWallMillis = asked ? session().wallMillis().getAsLong() : 0;
        Call call = (line != null && unit != null
                        ? line.acquireOrEnlist(claim, grantLeaseMillis(), unit, this)
                        : kind.acquire(claim, this))
                .replicated();
        Home home = prepared();
        joint = held == null && acquisition.sendsJointly(home, claim, call);
        if (!joint) {
            home.send(lock, call);
        }
    }

    /** {@return the lease to be granted with by a release: until the next attempt has been answered} */
    private long grantLeaseMillis() {
        long commandTimeoutMillis = TimeUnit.NANOSECONDS.toMillis(session().commandTimeoutNanos());
        return Math.max(
                Claim.SHORTEST_LEASE_MILLIS, Math.min(acquisition.lease().millis(), commandTimeoutMillis));
    }

    /**
     * The owner has just handed the lock off. If Redis refuses that handoff, the lock still belongs to this owner
     * there, and this attempt would acquire it beside the receiver, which has started.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing follows but start()
    private void runAfter(CompletableFuture<?> handedOff) {
        handedOff.whenComplete((passed, failure) -> start());
    }

    @Override
    protected void returned(Call call) {
        Hold held = reentered;
        if (held != null) {
            held.extensionAnswered(call);
        }
    }

    @Override
    protected Answer read(Call call) {
        return lock().kind().readGrant(call, tenure);
    }

    @Override
    protected void held(Call call, Answer answer) {
        whenBelieved(call, acquisition.lease().nanos(), () -> believed(call, answer), this::giveUp);
    }

    private void believed(Call call, Answer answer) {
        Hold held = reentered;
        if (held == null) {
            granted(call.sentNanos(), answer.drawn());
        } else {
            entered(held, call.sentNanos());
        }
    }

    @Override
    protected void denied(Call call, Answer answer, LossReason reason) {
        Hold held = reentered;
        if (held != null) {
            held.lose(reason);
            lostOnEntry(held);
        } else if (answer.outcome() == Answer.Outcome.BUSY) {
            busy(call, answer);
        } else if (joint && answer.outcome() == Answer.Outcome.GONE) {
            done();
            acquisition.heldBack();
        } else {
            run();
        }
    }

    private void busy(Call call, Answer answer) {
        lane().clearOrphansUpTo(tenure);
        done();
        acquisition.busy(new Busy(
                sentTo(),
                answer.leftMillis(),
                tenure,
                call.sentNanos(),
                askedWallMillis,
                asked ? Enlistment.of(call) : null));
    }

    /**
     * An error leaves nothing behind in Redis, by the rule of scripts. So that nothing rests on that rule alone, the tenure
     * of a first acquire is released as well.
     */
    @Override
    protected void refused(Call call, Answer answer) {
        if (reentered == null && answer.outcome() == Answer.Outcome.REFUSED) {
            giveBack(OrphanRelease.once(lane(), tenure, leaseEndNanos()), () -> explain(call, acquisition::fail));
            return;
        }
        if (reentered == null) {
            noteOrphan();
        }
        done();
        explain(call, acquisition::fail);
    }

    @Override
    protected void unknown(Call call) {
        if (call.cause() instanceof NotReplicatedException why) {
            notReplicated(why);
            return;
        }
        if (reentered == null) {
            noteOrphan();
        }
        ineffective(call);
    }

    @Override
    protected void ineffective(Call call) {
        acquisition.troubled(call.cause());
        tryLater(call, this::giveUp);
    }

    @Override
    protected void doubted() {
        if (reentered == null) {
            noteOrphan();
        }
    }

    private void noteOrphan() {
        lane().noteOrphan(tenure, leaseEndNanos());
    }

    /** {@return when the requested lease would end, had it been granted just now} */
    private long leaseEndNanos() {
        return session().now() + acquisition.lease().nanos();
    }

    /**
     * The master has granted it, and too few replicas have that: a first acquire is given back, and until the release is
     * executed it is known to be there.
     */
    private void notReplicated(NotReplicatedException why) {
        LockException failure = exceptions().notReplicated(lock(), lane().ownerId(), why);
        if (reentered == null) {
            giveBack(new OrphanRelease(lane(), tenure, leaseEndNanos()), () -> acquisition.fail(failure));
        } else {
            done();
            acquisition.fail(failure);
        }
    }

    /** Releases the tenure, and notifies the caller after that: whatever the caller does then finds nothing of this attempt. */
    @SuppressWarnings("FutureReturnValueIgnored") // ended() does not fail
    private void giveBack(OrphanRelease release, Runnable then) {
        release.ended().whenComplete((ended, never) -> then.run());
        if (!lane().submit(release)) {
            throw new IllegalStateException("a lane that runs a command is not retired: " + lane());
        }
        done();
    }

    @Override
    protected void giveUp(Throwable cause) {
        done();
        acquisition.noAnswer(cause);
    }

    private void granted(long sentNanos, long drawn) {
        OwnerLane lane = lane();
        Home home = sentTo();
        lane.clearOrphansUpTo(tenure);
        Hold hold = new Hold(lane, tenure, sentNanos, acquisition, false);
        hold.confirmedWhileHome(home);
        hold.setDrawn(drawn, home);
        holds().keep(hold, sentNanos, acquisition.lease());
        if (!deliver(hold, acquisition)) {
            acquisition.failTooLate();
        }
        holds().verifyIfMoved(hold);
    }

    private void entered(Hold held, long sentNanos) {
        held.confirmedWhileHome(sentTo());
        if (!held.lease().confirmed(sentNanos, acquisition.lease().nanos())) {
            lane().takeBack(held);
            lostOnEntry(held);
            return;
        }
        holds().verifyIfMoved(held);
        held.enter(acquisition);
        boolean wanted = acquisition.grant(held);
        if (!wanted) {
            Release.beginUnwanted(held, acquisition.level());
        }
        done();
        if (wanted) {
            acquisition.notifyGranted();
        }
    }

    private void lostOnEntry(Hold held) {
        done();
        acquisition.failAlone(held.exceptionFor(held.lossNow(LossReason.GONE)));
    }

    /** In a call without a wait it is not sent again once that has ended. */
    @Override
    protected long untilNanos() {
        return acquisition.isOfWaitingCall() ? super.untilNanos() : acquisition.deadlineNanos();
    }

    @Override
    public String toString() {
        return "attempt of " + lane();
    }
}
