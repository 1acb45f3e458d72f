package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.Publication;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.NotExecutedException;
import dev.holdfast.internal.redis.Redirection;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.internal.session.Session;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operation of an owner on a lock, carried out by one call to Redis. A lane runs one such command at a time.
 *
 * <pre>
 *   run() --> sent --- answered, refused ---> done()
 *     ^         |
 *     |         +--- UNKNOWN, or NOT_SENT ---> awaits a connection --- up -----------> run() again
 *     |         |                                   |
 *     |         +--- NOT_EXECUTED -----------> awaits execution --- a pause ---------> run() again
 *     |         |                                   |      (none if the lock has moved: it is sent to its new home)
 *     |         |                                   |
 *     |         +--- answered, in doubt ------> awaits others --- they confirm the node -> done()
 *     |                                             |         \-- another one has the lock; or nobody says it, or
 *     |                                             |             too late (the next answer is not in doubt) -> run() again
 *     +---------------------------------------------+--- too late ----------> giveUp() ---> done()
 * </pre>
 *
 * <p>To send a call again whose outcome is unknown is safe by the rule of scripts. A subclass ends every run by exactly
 * one of {@link #done()} and {@link #tryLater}; what grants or prolongs something, behind {@link #whenBelieved}.
 *
 * @see "LaneStepsOrdersTest, NotExecutedTest, ReplyOfFormerHomeTest"
 */
public abstract class LaneCommand implements Call.Callback {
    /** How often it is sent to another node at once. After that the nodes disagree, and it waits for a moment. */
    private static final int MOST_MOVES = 2;

    private static final Logger log = LoggerFactory.getLogger(LaneCommand.class);

    private final OwnerLane lane;

    /** When it was created, for its caller. */
    private final long createdNanos;

    /** The node whose next answer counts, since nobody has said whether it is still the master. */
    private @Nullable Home unconfirmed;

    /** The home that its last call was sent to. */
    private @Nullable Home sentTo;

    /** How often it was sent to a node that no longer had the lock. */
    private int moves;

    /** The command that runs after this one. Guarded by the lane. */
    @Nullable
    LaneCommand next;

    protected LaneCommand(OwnerLane lane) {
        this.lane = lane;
        this.createdNanos = lane.holds.session.now();
    }

    /** Sends the command's call, or finds that there is nothing to send. */
    protected abstract void run();

    // --- The outcome of its call.

    /**
     * The one place where the outcome of a call of a lane is interpreted: each command says what follows.
     *
     * <pre>
     *   HELD                     held        Redis did it, or had done it before
     *   BUSY                     denied      another owner has the lock
     *   GONE, LATE               denied      no owner has it, or a newer tenure of this one
     *   REFUSED, MALFORMED       refused     an error, or a reply that lacks what it must have
     *   UNKNOWN                  unknown     it may have had its effect
     *   NOT_EXECUTED, NOT_SENT   ineffective it has had none
     * </pre>
     */
    @Override
    public final void completed(Call call) {
        returned(call);
        Answer answer = read(call);
        switch (answer.outcome()) {
            case HELD -> held(call, answer);
            case BUSY -> denied(call, answer, LossReason.TAKEN);
            case GONE, LATE -> denied(call, answer, LossReason.GONE);
            case REFUSED, MALFORMED -> refused(call, answer);
            case UNKNOWN -> unknown(call);
            case NOT_EXECUTED, NOT_SENT -> ineffective(call);
        }
    }

    /** Its call has an outcome, whichever that is. */
    protected void returned(Call call) {}

    /** {@return what the outcome says about the tenure of this command} */
    protected Answer read(Call call) {
        throw sendsNothing();
    }

    /** The tenure has the lock, or had it until this release. */
    protected void held(Call call, Answer answer) {
        throw sendsNothing();
    }

    /**
     * Redis does not have the tenure.
     *
     * @param reason why a hold of that tenure is lost, if there was one
     */
    protected void denied(Call call, Answer answer, LossReason reason) {
        throw sendsNothing();
    }

    /** Redis has answered with an error, or with a reply that lacks what it must have. */
    protected void refused(Call call, Answer answer) {
        throw sendsNothing();
    }

    /** The call may have had its effect. */
    protected void unknown(Call call) {
        ineffective(call);
    }

    /** The call has had no effect, and will have none. */
    protected void ineffective(Call call) {
        tryLater(call, this::giveUp);
    }

    /** It is not sent again, for this reason: notifies the caller that waits for it, and calls {@link #done()}. */
    protected void giveUp(Throwable cause) {
        throw sendsNothing();
    }

    private IllegalStateException sendsNothing() {
        return new IllegalStateException("a command that sends no call has no outcome of one: " + this);
    }

    protected final OwnerLane lane() {
        return lane;
    }

    protected final Holds holds() {
        return lane.holds;
    }

    protected final Session session() {
        return lane.holds.session;
    }

    protected final Home home() {
        return lane.home();
    }

    protected final LockExceptions exceptions() {
        return lane.holds.session.exceptions();
    }

    /** Reports why Redis refused a call of this command, once that is known. */
    protected final void explain(Call refused, Consumer<? super RuntimeException> to) {
        home().errors().explain(refused, lock(), lane.toString(), to);
    }

    /**
     * Redis released the lock. If it refused the message, the waiters of this client attempt without it; if it granted
     * the lock, or left it free for others, they have to know.
     */
    final void notePublication(Publication message) {
        home().errors().notePublication(lock(), message);
        if (message.refusal() != null) {
            lane.local.wake();
        } else if (message.next() != Publication.Next.ANYONE) {
            lane.local.released(message);
        }
    }

    protected final LockKey lock() {
        return lane.lock;
    }

    /** {@return what a command about this tenure of the owner claims} */
    protected final Claim claim(long tenure, int count, long leaseMillis) {
        return lane.claim(tenure, count, leaseMillis);
    }

    /**
     * Sends a call of this command. Redis may not know the present owner of the lock yet, if the lock was handed off, or has
     * another home by now: then that owner is sent first.
     */
    protected final void send(Call call) {
        prepared().send(lane.lock, call);
    }

    /** {@return the home of the lock, which knows its present owner from now on} For a call that is sent there at once. */
    protected final Home prepared() {
        Home home = lane.local.commitHandoffs();
        if (lane.holds.homes.mayHaveMoved()) {
            lane.holds.settle(lane.local, home);
            lane.holds.settling.raiseToken(lane.lock, home);
        }
        sentTo = home;
        return home;
    }

    /** {@return the home that the last call of this command was sent to; the lock may have another one since} */
    protected final Home sentTo() {
        Home to = sentTo;
        if (to == null) {
            throw new IllegalStateException("no call was sent: " + this);
        }
        return to;
    }

    /** Sends a release. Where clients wait in line, it can grant the lock to one of them. */
    protected final void sendRelease(Claim claim) {
        boolean toLine = claim.count() == 0 && lane.local.knowsOfLine();
        send(
                toLine && lock().kind() instanceof Enlists kind
                        ? kind.releaseToLine(claim, this)
                        : lock().kind().release(claim, this));
    }

    /** {@return the hold that this command ends in Redis, and which has left the lane already; null if there is none} */
    @Nullable
    Hold ending() {
        return null;
    }

    /**
     * Runs the command. Nobody else calls {@link #run}: a caller with a call of its own would see only two or three
     * kinds of command there, and the JIT compiler would inline into it all that they do, which takes it a second.
     */
    public final void start() {
        run();
    }

    protected final void done() {
        lane.done(this);
    }

    /**
     * Runs again once there is a connection, or Redis executes commands again; gives up when the {@linkplain
     * Session#outageNanos longest outage} has passed since it was created, or what else {@link #untilNanos} says.
     *
     * @param giveUp notifies the caller that waits for the command, and calls {@link #done()}; its argument is why this
     *     run was inconclusive, a {@link NotExecutedException} if Redis did not execute the call
     */
    protected final void tryLater(Call failed, Consumer<? super Throwable> giveUp) {
        unconfirmed = null;
        home().noteOutcome(failed);
        Throwable cause = failed.cause();
        Throwable reason = cause == null ? new IllegalStateException("the driver reported no cause") : cause;
        Runnable giveUpFor = () -> giveUp.accept(reason);
        if (isMoved(cause) && ++moves <= MOST_MOVES) {
            home().connectionWait().await(lock(), this::start, untilNanos(), giveUpFor);
        } else {
            home().connectionWait().await(lock(), failed, this::start, untilNanos(), giveUpFor);
        }
    }

    /** {@return whether the call was not executed because its lock is at another node by now} */
    static boolean isMoved(@Nullable Throwable cause) {
        Redirection redirection = cause instanceof NotExecutedException why ? why.redirection() : null;
        return redirection != null && redirection.type() == Redirection.Type.MOVED;
    }

    /** The same, for a reply that says in one of its elements that the call was not executed. */
    protected final void tryLater(NotExecutedException cause, Consumer<? super Throwable> giveUp) {
        home().connectionWait().standstill().await(this::start, untilNanos(), () -> giveUp.accept(cause));
    }

    /**
     * Goes on with an answer that grants or prolongs something, once it can be believed: at once, unless the node that has
     * given it was {@linkplain dev.holdfast.internal.redis.Silence silent} before, and so may have been replaced. Then others
     * are asked. If they say that it is still the master, the answer counts; if the lock has moved, the command runs again
     * at its new home. If nobody says it, the command runs again at the same node, whose next answer counts; so it does if
     * they took so long that half of the lease which was requested has passed.
     *
     * @param leaseNanos the lease that was requested
     * @param believed goes on with the answer
     * @param giveUp as that of {@link #tryLater}, for a command that cannot go on
     */
    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is processed
    protected final void whenBelieved(
            Call call, long leaseNanos, Runnable believed, Consumer<? super Throwable> giveUp) {
        if (!call.isDoubtful()) {
            believed.run();
            return;
        }
        Home asked = home();
        if (unconfirmed == asked) {
            believed.run();
            return;
        }
        doubted();
        CompletableFuture.completedFuture(call)
                .thenCompose(Call::confirm)
                .exceptionally(failure -> false)
                .thenAccept(isMaster -> orGiveUp(() -> confirmed(call, asked, isMaster, leaseNanos, believed), giveUp));
    }

    private void confirmed(Call call, Home asked, boolean isMaster, long leaseNanos, Runnable believed) {
        boolean isHere = home() == asked && asked.epochNumber() == call.epochNumber();
        boolean lasts = session().now() - call.sentNanos() < leaseNanos / 2;
        if (isMaster && isHere && lasts) {
            believed.run();
        } else {
            unconfirmed = isHere ? asked : null;
            start();
        }
    }

    /** Its answer is in doubt: what that grants may be in Redis, and the command may run again. */
    protected void doubted() {}

    /** No lane waits for ever for a command that has failed on a thread that nobody watches. */
    private void orGiveUp(Runnable step, Consumer<? super Throwable> giveUp) {
        try {
            step.run();
        } catch (Throwable e) {
            if (lane.isRunning(this)) {
                giveUp.accept(e);
            } else {
                log.error("{} has ended, and what follows has failed", this, e);
            }
        }
    }

    /** {@return until when it is sent again} */
    protected long untilNanos() {
        return createdNanos + session().outageNanos();
    }

    /** {@return how long its caller has waited, including the time behind other commands of the owner} */
    final long waitedNanos() {
        return session().now() - createdNanos;
    }
}
