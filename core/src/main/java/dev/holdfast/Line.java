package dev.holdfast;

import java.util.ArrayList;
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
final class Line {
    /** By owner: the first of its acquisitions, which leads to the others. */
    private final Map<Long, Acquisition> places = new LinkedHashMap<>();

    private int size;

    /** One more of an owner comes behind its first: they are let in together. */
    void add(Acquisition acquisition) {
        size++;
        Acquisition first = places.putIfAbsent(acquisition.ownerId(), acquisition);
        if (first != null) {
            acquisition.leadsTo(first.nextOfOwner());
            first.leadsTo(acquisition);
        }
    }

    /** Takes the acquisition out. False if it is not here. */
    boolean remove(Acquisition acquisition) {
        Acquisition before = null;
        for (Acquisition at = places.get(acquisition.ownerId()); at != null; before = at, at = at.nextOfOwner()) {
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
        } else if (next != null) {
            places.put(acquisition.ownerId(), next);
        } else {
            places.remove(acquisition.ownerId());
        }
        acquisition.leadsTo(null);
        size--;
    }

    /** Takes out all acquisitions of this owner but one. */
    List<Acquisition> takeAllOf(long ownerId, @Nullable Acquisition except) {
        List<Acquisition> taken = new ArrayList<>();
        for (Acquisition at = places.get(ownerId); at != null; at = at.nextOfOwner()) {
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
        for (Acquisition first : places.values()) {
            for (Acquisition at = first; at != null; at = at.nextOfOwner()) {
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
        return places.values().iterator();
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }
}
