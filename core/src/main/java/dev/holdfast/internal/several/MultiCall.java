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
 *            all are free                                 each was granted in turn
 *   TRYING -------------------------> HELD <------------------------------------------- WAITING for one,
 *      |  \--- one is busy, and the call may wait: those behind it are released ---------> holding those before it
 *      |                                                                                    |
 *      +--- one is busy, and the call does not wait; one has failed ------> RELEASED <------+ that is busy to the end
 *                                                                                             or fails, or one of those
 *   from every state: abandoned by its caller ------------------------> RELEASED              held meanwhile is lost
 * </pre>
 *
 * <p>TRYING attempts all at once, by one command for those of one kind, node and slot, and waits for none: if they are
 * free, that takes one round trip. From the first that is busy on, members are waited for one after the other, in the {@linkplain
 * Member#ORDER order} that all callers have in common, in the members' own queues. So a caller only ever waits for a
 * member while it holds members that come before that, and no circle of waiting callers is possible; and as each queue
 * serves its waiters in turn, no caller is overtaken for ever.
 *
 * <p>The step to HELD or RELEASED is taken once, under the monitor; a member that is granted after that is released. A
 * call that has waited, with an explicit lease, extends the earlier holds to that lease before its caller has them.
 *
 * <p>Nothing is called under the monitor.
 */
public final class MultiCall extends SeveralCall<List<PartAcquisition>> {
    /** How long the replies to the first attempts are awaited after the deadline. */
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

    /** The number of members whose attempts have not been answered, while TRYING. */
    private int unanswered;

    private boolean waited;
    private boolean over;
    private @Nullable RuntimeException failure;

    /** Why the first attempt of a member has not been answered, if the call has a deadline that is later. */
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
    }

    void begin() {
        if (hasDeadline()) {
            session().deadlines().schedule(endOfTrying, startNanos + waitNanos + GRACE_NANOS);
        }
        JointAttempt joint = new JointAttempt(waitNanos != 0);
        List<PartAcquisition> all = new ArrayList<>();
        synchronized (this) {
            unanswered = parts.length;
            for (int i = 0; i < parts.length; i++) {
                all.add(newPart(i, 0, joint));
            }
        }
        all.forEach(PartAcquisition::begin);
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
                unanswered--;
            }
            answered = unanswered == 0;
        }
        if (late && how == State.GRANTED) {
            part.releaseUnwanted();
        } else if (!late && answered) {
            next();
        }
    }

    /**
     * Under the monitor. A member whose first attempt was not answered is waited for until the deadline, like one that is
     * busy; without a deadline, that attempt took as long as a call may wait for an answer.
     */
    private void noteFailed(PartAcquisition part) {
        if (!waited && hasDeadline() && part.isSilent()) {
            silence = silence == null ? part.whyFailed() : silence;
        } else if (failure == null) {
            failure = part.whyFailed();
        }
    }

    /** The wait is over. Once a member is waited for, that ends with the wait. */
    private void notAnswered() {
        synchronized (this) {
            if (waited) {
                return;
            }
        }
        if (release()) {
            fail(session()
                    .exceptions()
                    .noAnswer("the locks " + set, names(), session().now() - startNanos, null));
        }
    }

    /** All that was begun has been answered. */
    private void next() {
        RuntimeException failed;
        int busy;
        long wait = remainingNanos();
        synchronized (this) {
            failed = failure == null && wait <= 0 ? silence : failure;
            busy = firstNotHeld();
        }
        if (failed != null) {
            release();
            fail(failed);
        } else if (busy == parts.length) {
            allHeld();
        } else if (wait <= 0) {
            release();
            refuse();
        } else {
            waitFor(busy, wait);
        }
    }

    /** Under the monitor. */
    private int firstNotHeld() {
        int member = 0;
        while (member < held.length && held[member]) {
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
        List<PartAcquisition> before = new ArrayList<>();
        PartAcquisition awaited;
        synchronized (this) {
            if (over) {
                return;
            }
            waited = true;
            for (int i = 0; i < parts.length; i++) {
                PartAcquisition part = parts[i];
                if (part != null && i > member) {
                    behind.add(part);
                    parts[i] = null;
                    held[i] = false;
                } else if (part != null) {
                    before.add(part);
                }
            }
            unanswered = 1;
            awaited = newPart(member, wait, null);
        }
        behind.forEach(PartAcquisition::releaseUnwanted);
        before.forEach(this::watch);
        awaited.begin();
    }

    /**
     * Ends the call if this member is lost while others are waited for: on the thread that learns of it, since no caller is
     * at work under the locks yet.
     */
    private void watch(PartAcquisition part) {
        Hold hold = part.granted();
        hold.watch(() -> {
            if (release()) {
                fail(hold.exceptionFor(hold.lossNow(LossReason.EXPIRED)));
            }
        });
    }

    private void allHeld() {
        if (waited && lease != null && parts.length > 1) {
            extendEarlier(lease);
        } else {
            deliver();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it has no outcome but the call's
    private void extendEarlier(LeaseRequest full) {
        List<PartAcquisition> all = granted();
        CompletableFuture.allOf(all.stream()
                        .limit(all.size() - 1L)
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

    @Override
    List<String> names() {
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
