package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.Hold;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The holds of this client that have a lock and have not begun their release, as its queue knows them: at most one if
 * the lock is exclusive. One that was granted before the queue existed is not known. Guarded by the queue.
 */
final class Holders {
    /** Unmodifiable while it is empty: most queues wait for a lock that this client does not have. */
    private List<Hold> all = List.of();

    /**
     * Adds a hold.
     *
     * @return the hold that was known before and cannot have the lock any more, since Redis granted it to this one;
     *     null if there is none
     */
    @Nullable
    Hold add(Hold hold) {
        if (all.contains(hold)) {
            return null;
        }
        Hold displaced = null;
        if (!all.isEmpty() && excludesOthers(hold)) {
            displaced = all.remove(0);
        }
        if (all.isEmpty()) {
            all = new ArrayList<>(1);
        }
        all.add(hold);
        return displaced;
    }

    /** {@return whether it was known} */
    boolean remove(Hold hold) {
        return include(hold) && all.remove(hold);
    }

    boolean include(Hold hold) {
        return all.contains(hold);
    }

    void clear() {
        all = List.of();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** {@return whether an owner has been granted the lock since this hold, which therefore has lost it unnoticed} */
    boolean supersede(Hold hold) {
        return !all.isEmpty() && !all.contains(hold) && excludesOthers(hold);
    }

    /** {@return whether another owner than this one has the lock for itself alone, and its lease has not run out} */
    boolean includeOther(long ownerId) {
        if (all.isEmpty() || !excludesOthers(all.get(0))) {
            return false;
        }
        Hold only = all.get(0);
        return only.ownerId() != ownerId && only.lease().isRunning();
    }

    private static boolean excludesOthers(Hold hold) {
        return !hold.lock().kind().admitsSeveral();
    }
}
