package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import java.util.OptionalLong;

/** A lock that belongs to a result which completes later. */
record LeaseHold(Lease lease, boolean fenced) implements Hold {
    @Override
    public String name() {
        return lease.lockName();
    }

    @Override
    public boolean isValid() {
        return lease.isValid();
    }

    @Override
    public OptionalLong token() {
        return fenced ? OptionalLong.of(lease.token()) : OptionalLong.empty();
    }
}
