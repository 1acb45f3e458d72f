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
 *             busy, failed, or late              one of them is free
 *   TRYING ONE -----------------> ASKING FOR ALL -------------------> TRYING that; then the next that is free
 *       |                               |                                   |         |
 *       +---- granted ---> GRANTED <----|-------------- granted ------------+         |
 *                                       +---- all have replied, none is free ---------+---> NONE
 * </pre>
 *
 * <p>It begins with a segment that no owner of this client uses, if there is one, and otherwise at a random place: so
 * two callers rarely try the same one. A segment whose node accepts no commands comes last. If the first is busy, the
 * others are queried, not tried, all in one flush: to try them all would take several for a moment, from callers that
 * could use them. The first reply that one is free has it tried, and if the first try has no reply within {@link
 * #PATIENCE_NANOS}, it is given up: so a node that does not answer delays nothing. No two commands of a search that are
 * not given up change anything at the same time; what is granted to one that was given up is released, unless the call
 * still wants it.
 *
 * <p>Replies may come from several nodes, and so on several threads: the monitor guards what is known, and nothing is
 * called under it. {@link #trying} is also seen by the caller's thread, which ends the call and then gives up what is
 * tried; the thread that sets it checks after that whether the call has ended.
 */
final class SegmentSearch implements PartAcquisition.Whole {
    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private final Segments all;
    private final SegmentCall call;
    private final Deadline patience = Deadline.of(this::firstIsLate);

    // All below but the last is guarded by this.
    /** At first all; later those that were found free. */
    private final Queue<Integer> candidates;

    /** Why segments could not be tried or queried. */
    private final List<RuntimeException> failures = new ArrayList<>();

    /** Whether one of the failures may be over soon. */
    private boolean silent;

    private boolean looked;

    /** The number of queries without a reply. */
    private int unseen;

    private boolean isTrying;

    /** The first that was tried, and given up. */
    private @Nullable PartAcquisition late;

    private volatile @Nullable PartAcquisition trying;

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
        int first;
        synchronized (this) {
            isTrying = true;
            first = candidates.remove();
        }
        all.session().deadlines().schedule(patience, all.session().now() + PATIENCE_NANOS);
        attempt(first);
    }

    /** The call has ended. */
    void stop() {
        all.session().deadlines().cancel(patience);
        PartAcquisition tried = trying;
        if (tried != null) {
            tried.giveUp();
        }
    }

    private void attempt(int segment) {
        PartAcquisition part = all.part(call.lock(), segment, call.lease(), 0, this);
        trying = part;
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
            if (part == late) {
                return;
            }
            if (how == State.FAILED) {
                failures.add(part.whyFailed());
                silent |= part.isSilent();
            }
            isTrying = false;
            asked = othersAtFirst();
        }
        goOn(asked);
    }

    private void firstIsLate() {
        PartAcquisition first = trying;
        List<Integer> asked;
        synchronized (this) {
            if (looked || first == null) {
                return;
            }
            late = first;
            failures.add(all.session().exceptions().noAnswer("segment '" + first.key() + "'", PATIENCE_NANOS));
            silent = true;
            isTrying = false;
            asked = othersAtFirst();
        }
        first.giveUp();
        goOn(asked);
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
                    failures.add(asUnchecked(failed));
                    silent = true;
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
        boolean over;
        synchronized (this) {
            free = isTrying ? null : candidates.poll();
            over = !isTrying && free == null && unseen == 0;
            isTrying |= free != null || over;
        }
        if (!call.isPending()) {
            return;
        }
        if (free != null) {
            attempt(free);
        } else if (over) {
            foundNone();
        }
    }

    private void foundNone() {
        RuntimeException failure;
        boolean hopeless;
        synchronized (this) {
            boolean allFailed = failures.size() == call.wanted().cardinality();
            failure = failures.isEmpty() ? null : failures.get(0);
            hopeless = allFailed && (call.waitsForEver() || !silent);
        }
        call.foundNone(failure, hopeless);
    }
}
