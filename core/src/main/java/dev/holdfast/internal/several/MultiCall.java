package dev.holdfast.internal.several;

import dev.holdfast.LossReason;
import dev.holdfast.internal.acquire.AcquireRequest;
import dev.holdfast.internal.acquire.Acquisition.State;
import dev.holdfast.internal.acquire.JointAttempt;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request for all of several locks.
 *
 * <pre>
 *            all are free
 *   TRYING -------------------> HELD
 *    |  | ^
 *    |  | +--- it is granted: those behind it are tried ------ WAITING for one, holding those before it
 *    |  +------ one is busy, and the call may wait: those behind it are released ------^ |
 *    |                                                                                  |
 *    +--- one is busy, and the call does not wait;     that is busy to the end, or fails; one of
 *         one has failed ------------------> RELEASED <---- those held is lost ------------+
 *
 *   from every state: abandoned by its caller ----> RELEASED
 * </pre>
 *
 * <p>TRYING attempts several at once, by one command for those of one kind, node and slot, and waits for none. The first
 * time these are all: if they are free, that takes one round trip. The first that is busy is waited for, in its own queue,
 * holding those before it in the {@linkplain Member#ORDER order} that all callers have in common. So a caller only ever
 * waits for a member while it holds members that come before that, and no circle of waiting callers is possible; and as
 * each queue serves its waiters in turn, no caller is overtaken for ever.
 *
 * <p>When it is granted, all behind it are tried at once: mostly they were held together with it, and are free. If again one
 * is busy, twice as many are tried the next time as were granted this time, and twice as many again if all of these are
 * granted. Otherwise callers that find many of n members busy one after the other would send n commands for each.
 *
 * <p>Redis may have executed the command for some members only when it was repeated, and found none of them busy; those
 * behind them in that command were not looked at. A call without a wait then tries these, within the time that it has.
 *
 * <p>The step to HELD or RELEASED is taken once, under the monitor; a member that is granted after that is released. A
 * call that has waited, with an explicit lease, extends the earlier holds to that lease before its caller has them.
 *
 * <p>Nothing is called under the monitor.
 */
public final class MultiCall extends SeveralCall<List<PartAcquisition>> {
    /** How long replies are awaited after the deadline. */
    static final long GRACE_NANOS = Duration.ofMillis(100).toNanos();

    private final MemberSet set;
    private final @Nullable LeaseRequest lease;
    private final long waitNanos;
    private final long startNanos;
    private final @Nullable Thread boundThread;
    private final Deadline endOfTrying = Deadline.of(this::notAnswered);

    // All below is guarded by this.
    /** The acquisition of each member, which is pending or granted; null if there is none. */
    private final @Nullable PartAcquisition[] parts;

    private final boolean[] held;

    /** The members that are tried or waited for, from the first on and before the second; those before them are held. */
    private int from;

    private int until;

    /** The number of those whose attempts have not been answered. */
    private int unanswered;

    /** How many are tried the next time. */
    private int most;

    /** WAITING, and not TRYING. */
    private boolean waits;

    /** Whether Redis has reported any as busy. */
    private boolean foundBusy;

    private boolean over;
    private @Nullable RuntimeException failure;

    /** Why the attempt of a member has not been answered, while TRYING, if the call has a deadline that is later. */
    private @Nullable RuntimeException silence;

    MultiCall(MemberSet set, @Nullable LeaseRequest lease, long waitNanos, @Nullable Thread boundThread) {
        super(set.ordered().get(0).session(), "the locks " + set);
        this.set = set;
        this.lease = lease;
        this.waitNanos = waitNanos;
        this.startNanos = session().now();
        this.boundThread = boundThread;
        this.parts = new @Nullable PartAcquisition[set.ordered().size()];
        this.held = new boolean[parts.length];
        this.most = parts.length;
    }

    void begin() {
        if (hasDeadline()) {
            endTryingBy(startNanos + waitNanos);
        }
        tryFrom(0);
    }

    /** What is begun then fails if it has not been answered by this time, and a moment longer. */
    private void endTryingBy(long nanoTime) {
        session().deadlines().schedule(endOfTrying, nanoTime + GRACE_NANOS);
        if (!isPending()) {
            session().deadlines().cancel(endOfTrying);
        }
    }

    /** Tries this member and those behind it that are not held, holding those before it. */
    private void tryFrom(int member) {
        JointAttempt joint = new JointAttempt(waitNanos != 0);
        List<PartAcquisition> tried = new ArrayList<>();
        synchronized (this) {
            if (over) {
                return;
            }
            waits = false;
            from = member;
            until = member + Math.min(most, parts.length - member);
            for (int i = from; i < until; i++) {
                if (!held[i]) {
                    tried.add(newPart(i, 0, joint));
                }
            }
            unanswered = tried.size();
        }
        tried.forEach(PartAcquisition::begin);
        joint.send();
    }

    /** Under the monitor. */
    private PartAcquisition newPart(int member, long wait, @Nullable JointAttempt joint) {
        PartAcquisition part =
                set.ordered().get(member).part(member, lease, wait, waitNanos != 0, boundThread, joint, this::settled);
        parts[member] = part;
        return part;
    }

    private void settled(PartAcquisition part, State how) {
        boolean late;
        boolean answered;
        synchronized (this) {
            late = over;
            if (!late) {
                held[part.index()] = how == State.GRANTED;
                if (how == State.FAILED) {
                    noteFailed(part);
                }
                if (how != State.GRANTED) {
                    parts[part.index()] = null;
                }
                foundBusy |= how == State.REFUSED && !part.isHeldBack();
                unanswered--;
            }
            answered = unanswered == 0;
        }
        if (late && how == State.GRANTED) {
            part.releaseUnwanted();
            return;
        }
        if (how == State.GRANTED) {
            part.granted().watch(() -> lost(part));
        }
        if (!late && answered) {
            next();
        }
    }

    /**
     * Ends the call, which has this member and not all of them yet: on the thread that detects the loss, since no caller is
     * at work under the locks.
     */
    private void lost(PartAcquisition part) {
        synchronized (this) {
            if (parts[part.index()] != part) {
                return;
            }
        }
        if (release()) {
            Hold hold = part.granted();
            fail(hold.exceptionFor(hold.lossNow(LossReason.EXPIRED)));
        }
    }

    /**
     * Under the monitor. A member whose attempt was not answered is waited for until the deadline, like one that is busy;
     * without a deadline, that attempt took as long as a call may wait for an answer.
     */
    private void noteFailed(PartAcquisition part) {
        if (!waits && hasDeadline() && part.isSilent()) {
            silence = silence == null ? part.whyFailed() : silence;
        } else if (failure == null) {
            failure = part.whyFailed();
        }
    }

    /** The wait is over. While a member is waited for, that ends with the wait. */
    private void notAnswered() {
        synchronized (this) {
            if (waits) {
                return;
            }
        }
        if (release()) {
            fail(noAnswer());
        }
    }

    private RuntimeException noAnswer() {
        return session()
                .exceptions()
                .noAnswer("the locks " + set, names(), session().now() - startNanos, null);
    }

    /** All that was begun has been answered. */
    private void next() {
        RuntimeException failed;
        int next;
        boolean allGranted;
        boolean isBusy;
        long wait = remainingNanos();
        synchronized (this) {
            failed = failure == null && wait <= 0 ? silence : failure;
            next = firstNotHeld();
            allGranted = next >= until;
            isBusy = foundBusy;
            if (!waits && from > 0) {
                most = 2 * (next - from) + (allGranted ? 0 : 1);
            }
        }
        if (failed != null) {
            release();
            fail(failed);
        } else if (next == parts.length) {
            allHeld();
        } else if (wait <= 0 && isBusy) {
            release();
            refuse();
        } else if (waitNanos == 0) {
            endTryingBy(startNanos + session().commandTimeoutNanos());
            tryFrom(next);
        } else if (wait <= 0) {
            release();
            fail(noAnswer());
        } else if (allGranted) {
            tryFrom(next);
        } else {
            waitFor(next, wait);
        }
    }

    /** Under the monitor. */
    private int firstNotHeld() {
        int member = from;
        while (member < parts.length && held[member]) {
            member++;
        }
        return member;
    }

    private boolean hasDeadline() {
        return waitNanos > 0 && waitNanos != AcquireRequest.FOR_EVER;
    }

    private long remainingNanos() {
        return waitNanos == AcquireRequest.FOR_EVER || waitNanos == 0
                ? waitNanos
                : startNanos + waitNanos - session().now();
    }

    /** Waits for one member, holding those before it only. */
    private void waitFor(int member, long wait) {
        List<PartAcquisition> behind = new ArrayList<>();
        PartAcquisition awaited;
        synchronized (this) {
            if (over) {
                return;
            }
            for (int i = member + 1; i < until; i++) {
                PartAcquisition part = parts[i];
                if (part != null) {
                    behind.add(part);
                    parts[i] = null;
                    held[i] = false;
                }
            }
            waits = true;
            silence = null;
            from = member;
            until = member + 1;
            unanswered = 1;
            awaited = newPart(member, wait, null);
        }
        behind.forEach(PartAcquisition::releaseUnwanted);
        awaited.begin();
    }

    private void allHeld() {
        List<PartAcquisition> earlier;
        synchronized (this) {
            waits = false;
            earlier = granted().subList(0, from);
        }
        if (lease != null && !earlier.isEmpty()) {
            extend(earlier, lease);
        } else {
            deliver();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it has no outcome but the call's
    private void extend(List<PartAcquisition> earlier, LeaseRequest full) {
        if (hasDeadline()) {
            endTryingBy(Math.max(session().now(), startNanos + waitNanos));
        }
        CompletableFuture.allOf(earlier.stream()
                        .map(part -> Extension.begin(part.granted(), full))
                        .toArray(CompletableFuture[]::new))
                .whenComplete((done, refused) -> {
                    if (refused == null) {
                        deliver();
                    } else if (release()) {
                        fail(asUnchecked(refused));
                    }
                });
    }

    private static RuntimeException asUnchecked(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    private synchronized List<PartAcquisition> granted() {
        List<PartAcquisition> all = new ArrayList<>();
        for (PartAcquisition part : parts) {
            if (part != null) {
                all.add(part);
            }
        }
        return all;
    }

    private void deliver() {
        List<PartAcquisition> all = granted();
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        all.forEach(part -> part.granted().watch(null));
        if (!grant(all)) {
            takeBack(all);
        }
    }

    /** Releases what is held and gives up what is not. Returns false if the call had come to its end before. */
    private boolean release() {
        List<PartAcquisition> releases = new ArrayList<>();
        List<PartAcquisition> pending = new ArrayList<>();
        synchronized (this) {
            if (over) {
                return false;
            }
            over = true;
            for (int i = 0; i < parts.length; i++) {
                PartAcquisition part = parts[i];
                if (part != null) {
                    (held[i] ? releases : pending).add(part);
                }
            }
        }
        pending.forEach(PartAcquisition::giveUp);
        takeBack(releases);
        return true;
    }

    private List<String> names() {
        return set.names();
    }

    @Override
    void onEnd() {
        session().deadlines().cancel(endOfTrying);
        release();
    }

    @Override
    void takeBack(List<PartAcquisition> granted) {
        granted.forEach(PartAcquisition::releaseUnwanted);
    }

    @Override
    @Nullable
    RuntimeException lossOf(List<PartAcquisition> granted) {
        for (PartAcquisition part : granted) {
            Hold hold = part.granted();
            if (hold.isOver()) {
                return hold.exceptionFor(hold.lossOfOver());
            }
        }
        return null;
    }
}
