package dev.holdfast;

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
 * it has in line: when one of them is granted, the others re-enter the hold. So a grant to one owner does not involve
 * the acquisitions of any other. Guarded by the {@link WaitQueue}.
 */
final class WaiterLine {
    /**
     * The first acquisition of the only owner in line, linked to that owner's others; null if the line is empty, or
     * once {@link #places} is in use.
     */
    private @Nullable Acquisition only;

    /** The first acquisition of each owner, in order of arrival; null until a second owner has joined. */
    private @Nullable Map<Long, Acquisition> places;

    private int size;

    /**
     * Adds the acquisition. A further one of an owner is linked behind that owner's first: they are granted together.
     */
    void add(Acquisition acquisition) {
        size++;
        Acquisition first = firstOf(acquisition.ownerId());
        if (first == null) {
            addOwner(acquisition);
        } else {
            acquisition.leadsTo(first.nextOfOwner());
            first.leadsTo(acquisition);
        }
    }

    private void addOwner(Acquisition acquisition) {
        if (size == 1 && places == null) {
            only = acquisition;
            return;
        }
        if (places == null) {
            places = new LinkedHashMap<>();
        }
        if (only != null) {
            places.put(only.ownerId(), only);
            only = null;
        }
        places.put(acquisition.ownerId(), acquisition);
    }

    private @Nullable Acquisition firstOf(long ownerId) {
        if (only != null) {
            return only.ownerId() == ownerId ? only : null;
        }
        return places == null ? null : places.get(ownerId);
    }

    /** Removes the acquisition. Returns false if it is not in line. */
    boolean remove(Acquisition acquisition) {
        Acquisition before = null;
        for (Acquisition at = firstOf(acquisition.ownerId()); at != null; before = at, at = at.nextOfOwner()) {
            if (at == acquisition) {
                unlink(acquisition, before);
                return true;
            }
        }
        return false;
    }

    private void unlink(Acquisition acquisition, @Nullable Acquisition before) {
        Acquisition next = acquisition.nextOfOwner();
        if (before != null) {
            before.leadsTo(next);
        } else if (only != null) {
            only = next;
        } else if (places != null && next != null) {
            places.put(acquisition.ownerId(), next);
        } else if (places != null) {
            places.remove(acquisition.ownerId());
        }
        acquisition.leadsTo(null);
        size--;
    }

    /** Removes and returns all acquisitions of this owner but one. */
    List<Acquisition> takeAllOf(long ownerId, @Nullable Acquisition except) {
        List<Acquisition> taken = new ArrayList<>();
        for (Acquisition at = firstOf(ownerId); at != null; at = at.nextOfOwner()) {
            if (at != except) {
                taken.add(at);
            }
        }
        taken.forEach(this::remove);
        return taken;
    }

    /** Removes and returns all acquisitions that match. */
    List<Acquisition> take(Predicate<Acquisition> which) {
        List<Acquisition> taken = new ArrayList<>();
        for (Iterator<Acquisition> all = firsts(); all.hasNext(); ) {
            for (Acquisition at = all.next(); at != null; at = at.nextOfOwner()) {
                if (which.test(at)) {
                    taken.add(at);
                }
            }
        }
        taken.forEach(this::remove);
        return taken;
    }

    /** {@return the first acquisition of each owner, in order of arrival} */
    Iterator<Acquisition> firsts() {
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
