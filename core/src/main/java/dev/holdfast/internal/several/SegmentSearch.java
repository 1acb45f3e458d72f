package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.Acquisition.State;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.watchdog.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The search of one call for a segment that is free.
 *
 * <pre>
 *               busy, or failed                     one of them is free
 *   TRYING ONE -----------------> ASKING THE OTHERS -------------------> TRYING that; then the next that is free
 *     |    \                       ^     |                                    |         |
 *     |     +-- late: goes on -----+     +---- none is free, and all have settled -------+---> NONE
 *     |                                                                       |
 *     +---- granted, also late -----------------------------------------------+--------------> GRANTED
 * </pre>
 *
 * <p>It begins with a segment that no owner of this client uses, if there is one, and otherwise at a random place: so
 * two callers rarely try the same one. A segment whose node accepts no commands comes last. If the first is busy, the
 * others are queried, not tried, all in one flush: to try them all would take several for a moment, from callers that
 * could use them. The first reply that one is free has it tried. So no two commands of a search change anything at the
 * same time, with one exception: if the first try has no reply within {@link #LATE_AFTER_NANOS}, the others are queried
 * beside it, so that a node that does not answer delays nothing. If two are granted then, the second is released.
 *
 * <p>A call that may wait begins to do so when none is found within that time, beside what is outstanding: the queue
 * requests all segments, and so a silent node keeps the call from none that becomes free elsewhere. The search goes on.
 *
 * <p>Replies may come from several nodes, and so on several threads: the monitor guards what is known, and nothing is
 * called under it. {@link #first} and {@link #later} are also seen by the caller's thread, which ends the call and then
 * gives up what is tried; the thread that sets them checks after that whether the call has ended.
 */
final class SegmentSearch implements PartAcquisition.Whole {
    private static final long LATE_AFTER_NANOS = Duration.ofMillis(100).toNanos();

    private final Segments all;
    private final SegmentCall call;
    private final Deadline lateReply = Deadline.of(this::late);

    // All below but the last two is guarded by this.
    /** At first all; later those that were found free. */
    private final Queue<Integer> candidates;

    /** Why segments could not be tried or queried. */
    private final List<RuntimeException> failures = new ArrayList<>();

    /** The first of them that does not pass by itself. */
    private @Nullable RuntimeException refusal;

    /** Whether the others are queried, or were: the first has settled, or is late. */
    private boolean looked;

    /** The number of queries without a reply. */
    private int unseen;

    private boolean firstIsOpen = true;
    private boolean laterIsOpen;

    /** Whether the call has begun to wait beside the search. */
    private boolean waits;

    /** Whether all have settled, and none is free. */
    private boolean over;

    private volatile @Nullable PartAcquisition first;
    private volatile @Nullable PartAcquisition later;

    SegmentSearch(Segments all, SegmentCall call) {
        this.all = all;
        this.call = call;
        this.candidates = inOrder();
    }

    /**
     * {@return the segments: those not in use by this client first, then the others in reach, each beginning at a random
     * one}
     */
    private Queue<Integer> inOrder() {
        int[] wanted = call.wanted().stream().toArray();
        int first = ThreadLocalRandom.current().nextInt(wanted.length);
        Queue<Integer> order = new ArrayDeque<>(wanted.length);
        List<Integer> inUse = new ArrayList<>();
        List<Integer> outOfReach = new ArrayList<>();
        for (int i = 0; i < wanted.length; i++) {
            int segment = wanted[(first + i) % wanted.length];
            LockKey key = call.lock().key(segment);
            Collection<Integer> group = !all.isInReach(key) ? outOfReach : all.isInUse(key) ? inUse : order;
            group.add(segment);
        }
        order.addAll(inUse);
        order.addAll(outOfReach);
        return order;
    }

    void begin() {
        int segment;
        synchronized (this) {
            segment = candidates.remove();
        }
        all.session().deadlines().schedule(lateReply, all.session().now() + LATE_AFTER_NANOS);
        PartAcquisition part = part(segment);
        first = part;
        attempt(part);
    }

    /** The call has ended. */
    void stop() {
        all.session().deadlines().cancel(lateReply);
        giveUp(first);
        giveUp(later);
    }

    private static void giveUp(@Nullable PartAcquisition tried) {
        if (tried != null) {
            tried.giveUp();
        }
    }

    private PartAcquisition part(int segment) {
        return all.attempt(call, segment, this);
    }

    private void attempt(PartAcquisition part) {
        if (call.isPending()) {
            part.begin();
        }
    }

    @Override
    public void settled(PartAcquisition part, State how) {
        if (how == State.GRANTED) {
            if (!call.grant(part)) {
                part.releaseUnwanted();
            }
            return;
        }
        List<Integer> asked;
        synchronized (this) {
            if (how == State.FAILED) {
                note(part.whyFailed(), part.isSilent());
            }
            if (part == first) {
                firstIsOpen = false;
            } else {
                laterIsOpen = false;
            }
            asked = othersAtFirst();
        }
        goOn(asked);
    }

    private void late() {
        List<Integer> asked;
        boolean begins;
        synchronized (this) {
            asked = othersAtFirst();
            begins = call.waits() && !over;
            waits |= begins;
        }
        goOn(asked);
        if (begins) {
            call.foundNone(false);
        }
    }

    /** Under the monitor. */
    private void note(RuntimeException failure, boolean mayPass) {
        failures.add(failure);
        if (!mayPass && refusal == null) {
            refusal = failure;
        }
    }

    /** {@return why none was found, though not all are known to be busy: what Redis refused, or else that it did not answer} */
    synchronized RuntimeException explain() {
        return refusal == null ? call.noAnswer(failures.isEmpty() ? null : failures.get(0)) : refusal;
    }

    /** {@return the segments to ask for: all others, but only once} Under the monitor. */
    private List<Integer> othersAtFirst() {
        if (looked) {
            return List.of();
        }
        looked = true;
        List<Integer> others = List.copyOf(candidates);
        candidates.clear();
        unseen = others.size();
        return others;
    }

    private void goOn(List<Integer> asked) {
        if (call.isPending()) {
            asked.forEach(this::ask);
            next();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are read
    private void ask(int segment) {
        all.isLocked(call.lock().key(segment)).whenComplete((locked, failed) -> {
            synchronized (this) {
                unseen--;
                if (failed != null) {
                    note(asUnchecked(failed), true);
                } else if (!locked) {
                    candidates.add(segment);
                }
            }
            next();
        });
    }

    private static RuntimeException asUnchecked(Throwable failed) {
        Throwable cause =
                failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
        return cause instanceof RuntimeException why ? why : new CompletionException(cause);
    }

    /** Tries a segment that was found free, unless one is being tried; ends when there is none, and none can be found. */
    private void next() {
        Integer free;
        boolean none;
        boolean allBusy;
        boolean knows;
        synchronized (this) {
            free = laterIsOpen ? null : candidates.poll();
            laterIsOpen |= free != null;
            none = !over && !firstIsOpen && !laterIsOpen && unseen == 0;
            over |= none;
            allBusy = failures.isEmpty();
            knows = waits;
        }
        if (!call.isPending()) {
            return;
        }
        if (free != null) {
            PartAcquisition part = part(free);
            later = part;
            attempt(part);
        } else if (none && !knows) {
            call.foundNone(allBusy);
        } else if (none && allBusy) {
            call.foundAllBusy();
        }
    }
}
