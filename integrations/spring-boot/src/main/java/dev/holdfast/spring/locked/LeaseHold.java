package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import java.time.Duration;
import java.util.OptionalLong;

/** A lock that belongs to a result which completes later. */
record LeaseHold(Lease lease, boolean fenced) implements Hold {
    /** The shortest one, which makes no lease longer. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    @Override
    public String name() {
        return lease.lockName();
    }

    @Override
    public boolean isValid() {
        return lease.isValid();
    }

    @Override
    public void check() {
        if (!lease.isValid()) {
            lease.extend(SHORTEST);
        }
    }

    @Override
    public OptionalLong token() {
        return fenced ? OptionalLong.of(lease.token()) : OptionalLong.empty();
    }
}
