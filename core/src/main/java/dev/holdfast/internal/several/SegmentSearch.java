package dev.holdfast.internal.several;

import dev.holdfast.internal.acquire.Acquisition.State;
import dev.holdfast.internal.acquire.PartAcquisition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The search of one call for a segment that is free.
 *
 * <pre>
 *               busy, or failed                 all have replied
 *   TRYING ONE -----------------> LOOKING AT ALL ---------------> TRYING the free ones, one after the other
 *       |                                                             |          |
 *       +----- granted ----------------> GRANTED <------- granted ----+          +---> NONE
 * </pre>
 *
 * <p>It begins with a segment that no owner of this client uses, if there is one, and otherwise at a random place: so
 * two callers rarely try the same one. If that is busy, the others are queried, not tried, all in one flush: to try
 * them all would take several for a moment, from callers that could use them. No two commands of a search change
 * anything at the same time, so it is never granted a second segment.
 *
 * <p>Each step follows from the reply to the step before, so only {@link #trying} is seen by two threads: the caller's,
 * which ends the call and then gives up what is tried, and the thread of a reply, which sets it and then checks whether
 * the call has ended.
 */
final class SegmentSearch implements PartAcquisition.Whole {
    private final Segments all;
    private final SegmentCall call;
    private final Queue<Integer> candidates;

    /** Why segments could not be tried or queried. */
    private final List<RuntimeException> failures = new ArrayList<>();

    /** Whether one of the failures may be over soon. */
    private boolean silent;

    private boolean looked;
    private volatile @Nullable PartAcquisition trying;

    SegmentSearch(Segments all, SegmentCall call) {
        this.all = all;
        this.call = call;
        this.candidates = inOrder();
    }

    /** {@return the segments, those not in use by this client first, and otherwise beginning at a random one} */
    private Queue<Integer> inOrder() {
        int[] wanted = call.wanted().stream().toArray();
        int first = ThreadLocalRandom.current().nextInt(wanted.length);
        Queue<Integer> order = new ArrayDeque<>(wanted.length);
        List<Integer> inUse = new ArrayList<>();
        for (int i = 0; i < wanted.length; i++) {
            int segment = wanted[(first + i) % wanted.length];
            (all.isInUse(call.lock().key(segment)) ? inUse : order).add(segment);
        }
        order.addAll(inUse);
        return order;
    }

    void begin() {
        tryNext(candidates.remove());
    }

    /** The call has ended. */
    void stop() {
        PartAcquisition tried = trying;
        if (tried != null) {
            tried.giveUp();
        }
    }

    private void tryNext(int segment) {
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
        if (how == State.FAILED) {
            failures.add(part.whyFailed());
            silent |= part.isSilent();
        }
        next();
    }

    private void next() {
        if (!call.isPending()) {
            return;
        }
        if (!looked) {
            looked = true;
            look();
        } else if (!candidates.isEmpty()) {
            tryNext(candidates.remove());
        } else {
            boolean allFailed = failures.size() == call.wanted().cardinality();
            call.foundNone(failures.isEmpty() ? null : failures.get(0), allFailed && (call.waitsForEver() || !silent));
        }
    }

    /** Queries all candidates, and keeps those that are free. */
    @SuppressWarnings("FutureReturnValueIgnored") // each query's own outcome is read
    private void look() {
        Map<Integer, CompletableFuture<Boolean>> queries = new LinkedHashMap<>();
        candidates.forEach(
                segment -> queries.put(segment, all.isLocked(call.lock().key(segment))));
        candidates.clear();
        CompletableFuture.allOf(queries.values().toArray(CompletableFuture[]::new))
                .whenComplete((done, failed) -> {
                    queries.forEach(this::seen);
                    next();
                });
    }

    private void seen(int segment, CompletableFuture<Boolean> query) {
        try {
            if (!query.join()) {
                candidates.add(segment);
            }
        } catch (CompletionException e) {
            failures.add(e.getCause() instanceof RuntimeException why ? why : e);
            silent = true;
        }
    }
}
