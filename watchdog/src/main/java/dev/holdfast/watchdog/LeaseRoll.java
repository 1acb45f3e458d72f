package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The leases being kept, linked through themselves: to enter and to leave allocates nothing. Guarded by the keeper's lock. */
final class LeaseRoll<S extends LeaseSubject> {
    private @Nullable LeaseLife<S> first;
    private int size;

    int size() {
        return size;
    }

    void enter(LeaseLife<S> lease) {
        lease.next = first;
        if (first != null) {
            first.previous = lease;
        }
        first = lease;
        size++;
    }

    void leave(LeaseLife<S> lease) {
        if (lease.previous != null) {
            lease.previous.next = lease.next;
        } else {
            first = lease.next;
        }
        if (lease.next != null) {
            lease.next.previous = lease.previous;
        }
        lease.previous = null;
        lease.next = null;
        size--;
    }

    List<LeaseLife<S>> toList() {
        List<LeaseLife<S>> all = new ArrayList<>(size);
        for (LeaseLife<S> lease = first; lease != null; lease = lease.next) {
            all.add(lease);
        }
        return all;
    }
}
