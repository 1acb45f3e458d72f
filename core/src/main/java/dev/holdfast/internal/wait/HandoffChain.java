package dev.holdfast.internal.wait;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handoffs of one lock whose receivers have started and which Redis has not confirmed, in order: each starts from
 * the hold that the one before it led to. For the first ones a {@link HandoffCommit} was sent; for
 * the others, none so far.
 *
 * <pre>
 *                  mayGrow                    startCommit                         remove
 *   a release ----------------> UNCOMMITTED --------------> COMMITTED, no answer -------> confirmed, or refuted
 *
 *            markBroken: a commit was refuted
 *   GROWING ----------------------------------> BROKEN ----- empty -----> GROWING
 *      \
 *       +--- stall: a commit has no answer, or is refused ---> STALLED --- empty ---> GROWING
 * </pre>
 *
 * <p>While the chain is broken no receiver starts early, since its hold may prove to be lost; the handoffs that were not
 * committed so far still are, and answered for themselves. While it is stalled nothing is committed: the next
 * connection begins with one commit of the whole chain, and so does another node, if the lock moves. Guarded by the
 * {@link WaitQueue}.
 *
 * @param <H> the handoffs
 */
final class HandoffChain<H extends HandoffChain.Link> {
    /** A handoff, as its chain knows it. */
    interface Link {
        /** {@return the owner that handed the lock off} */
        long fromOwnerId();

        /** {@return whether the outcome of the release is not known so far} */
        boolean isUndecided();

        /** The command that commits it is about to be sent. */
        void committed(long nowNanos);
    }

    /** Bounds how far the owners can get ahead of Redis when they start faster than it replies. */
    private static final int LONGEST = 256;

    /** Null until there is one: most queues never hand off. */
    private @Nullable Deque<H> committed;

    /** They follow the committed ones. Null until there is one. */
    private @Nullable List<H> uncommitted;

    private boolean broken;
    private boolean stalled;

    /** {@return whether the receiver of one more handoff may start before Redis has confirmed it} */
    boolean mayGrow() {
        return !broken && !stalled && size() < LONGEST;
    }

    void add(H handoff) {
        if (uncommitted == null) {
            uncommitted = new ArrayList<>();
        }
        uncommitted.add(handoff);
    }

    /** {@return whether there are handoffs that a commit is to be sent for} */
    boolean awaitsCommit() {
        return !stalled && uncommitted != null && !uncommitted.isEmpty();
    }

    /** {@return whether a commit of some of the handoffs was sent, and is not decided} */
    boolean isCommittedInPart() {
        return stalled || lastCommitted() != null;
    }

    boolean containsAny(List<H> handoffs) {
        return unanswered().stream().anyMatch(handoffs::contains);
    }

    /** {@return the handoff that was added last; null if there is none} */
    @Nullable
    H last() {
        return uncommitted == null || uncommitted.isEmpty() ? lastCommitted() : uncommitted.get(uncommitted.size() - 1);
    }

    /** {@return the last handoff that the latest unanswered commit covers; null if no commit is unanswered} */
    @Nullable
    H lastCommitted() {
        return committed == null ? null : committed.peekLast();
    }

    /** {@return whether a commit is unanswered, and its reply may still come} */
    boolean isCommitInFlight() {
        return !stalled && lastCommitted() != null;
    }

    /** A commit is about to be sent for all that has none. Returns what it covers. */
    List<H> startCommit(long nowNanos) {
        List<H> covered = uncommitted == null ? List.of() : List.copyOf(uncommitted);
        if (committed == null) {
            committed = new ArrayDeque<>();
        }
        committed.addAll(covered);
        covered.forEach(handoff -> handoff.committed(nowNanos));
        if (uncommitted != null) {
            uncommitted.clear();
        }
        return covered;
    }

    /** Removes the handoff. Returns false if it is not part of the chain, or not any more. */
    boolean remove(H answered) {
        boolean removed = (committed != null && committed.removeFirstOccurrence(answered))
                || (uncommitted != null && uncommitted.remove(answered));
        boolean rests = !isEmpty();
        broken &= rests;
        stalled &= rests;
        return removed;
    }

    void markBroken() {
        broken = !isEmpty();
    }

    /**
     * Nothing is committed until the next connection.
     *
     * @return all handoffs, if that is new; else none
     */
    List<H> stall() {
        if (stalled) {
            return List.of();
        }
        stalled = !isEmpty();
        return unanswered();
    }

    /** {@return the latest handoff from this owner whose outcome the next replies decide; null if there is none} */
    @Nullable
    H latestFrom(long ownerId) {
        H latest = null;
        if (!stalled) {
            for (H handoff : unanswered()) {
                latest = handoff.fromOwnerId() == ownerId && handoff.isUndecided() ? handoff : latest;
            }
        }
        return latest;
    }

    List<H> unanswered() {
        List<H> all = new ArrayList<>(size());
        if (committed != null) {
            all.addAll(committed);
        }
        if (uncommitted != null) {
            all.addAll(uncommitted);
        }
        return all;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    private int size() {
        return (committed == null ? 0 : committed.size()) + (uncommitted == null ? 0 : uncommitted.size());
    }
}
