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
 * Those who wait for one lock, first come, first served. An owner has one place, however often it waits: what one of its
 * acquisitions gets, the others enter. So to grant the lock to one looks at nobody else. Guarded by the {@link WaitQueue}.
 */
final class WaiterLine {
    /** The first acquisition of the only owner who waits, which leads to the others; null if there is none, or a map. */
    private @Nullable Acquisition only;

    /** The same by owner, once there have been many. */
    private @Nullable Map<Long, Acquisition> places;

    private int size;

    /** One more of an owner comes behind its first: they are let in together. */
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

    /** Takes the acquisition out. False if it is not here. */
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

    /** Takes out all acquisitions of this owner but one. */
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

    /** Takes out all that the test is true of. */
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

    /** {@return the first of each owner's acquisitions, in order} */
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
