package dev.holdfast.internal.wait;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions that wait for one lock, first come, first served. An owner has one place, however many acquisitions
 * it has in the queue: when one of them is granted, the others re-enter the hold. So a grant to one owner does not involve
 * the acquisitions of any other. Guarded by the {@link WaitQueue}.
 */
public final class QueuedWaiters {
    /**
     * The first acquisition of the only owner in the queue, linked to that owner's others; null if the queue is empty, or
     * once {@link #places} is in use.
     */
    private @Nullable LockWaiter only;

    /** The first acquisition of each owner, in order of arrival; null until a second owner has joined. */
    private @Nullable Map<Long, LockWaiter> places;

    private int size;

    /**
     * Adds the waiter. A further one of an owner is linked behind that owner's first: they are granted together.
     */
    public void add(LockWaiter waiter) {
        size++;
        LockWaiter first = firstOf(waiter.ownerId());
        if (first == null) {
            addOwner(waiter);
        } else {
            waiter.setNextOfOwner(first.nextOfOwner());
            first.setNextOfOwner(waiter);
        }
    }

    private void addOwner(LockWaiter waiter) {
        if (size == 1 && places == null) {
            only = waiter;
            return;
        }
        if (places == null) {
            places = new LinkedHashMap<>();
        }
        if (only != null) {
            places.put(only.ownerId(), only);
            only = null;
        }
        places.put(waiter.ownerId(), waiter);
    }

    /** {@return the first acquisition of this owner; null if it has none} */
    @Nullable
    LockWaiter firstOf(long ownerId) {
        if (only != null) {
            return only.ownerId() == ownerId ? only : null;
        }
        return places == null ? null : places.get(ownerId);
    }

    /** Removes the waiter. Returns false if it is not in the queue. */
    public boolean remove(LockWaiter waiter) {
        LockWaiter before = null;
        for (LockWaiter at = firstOf(waiter.ownerId()); at != null; before = at, at = at.nextOfOwner()) {
            if (at == waiter) {
                unlink(waiter, before);
                return true;
            }
        }
        return false;
    }

    private void unlink(LockWaiter waiter, @Nullable LockWaiter before) {
        LockWaiter next = waiter.nextOfOwner();
        if (before != null) {
            before.setNextOfOwner(next);
        } else if (only != null) {
            only = next;
        } else if (places != null && next != null) {
            places.put(waiter.ownerId(), next);
        } else if (places != null) {
            places.remove(waiter.ownerId());
        }
        waiter.setNextOfOwner(null);
        size--;
    }

    /** Removes and returns all acquisitions of this owner but one. */
    List<LockWaiter> takeAllOf(long ownerId, @Nullable LockWaiter except) {
        List<LockWaiter> taken = new ArrayList<>();
        for (LockWaiter at = firstOf(ownerId); at != null; at = at.nextOfOwner()) {
            if (at != except) {
                taken.add(at);
            }
        }
        taken.forEach(this::remove);
        return taken;
    }

    /** Removes and returns all acquisitions that match. */
    List<LockWaiter> take(Predicate<LockWaiter> which) {
        List<LockWaiter> taken = new ArrayList<>();
        for (Iterator<LockWaiter> all = firsts(); all.hasNext(); ) {
            for (LockWaiter at = all.next(); at != null; at = at.nextOfOwner()) {
                if (which.test(at)) {
                    taken.add(at);
                }
            }
        }
        taken.forEach(this::remove);
        return taken;
    }

    /** {@return the first acquisition of each owner, in order of arrival} */
    public Iterator<LockWaiter> firsts() {
        if (only != null) {
            return Collections.singleton(only).iterator();
        }
        return places == null ? Collections.emptyIterator() : places.values().iterator();
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }
}
