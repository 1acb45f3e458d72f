package dev.holdfast.spring.locked;

import dev.holdfast.Lease;
import dev.holdfast.MultiLease;
import dev.holdfast.ReleaseUnconfirmedException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is held by a lease: a lock that belongs to a result which completes later, or that stays busy after its release,
 * several locks at once, or permits.
 *
 * @param target what is held
 * @param lease the lease
 * @param keepFor how long it stays busy from the grant on; null for as long as it is held
 * @param grantedAt when the grant was known, as of {@link System#nanoTime()}; Redis granted it earlier
 * @param end completed by the end of the work if that is a coroutine, which threads may enter again and again
 */
record LeaseHold(
        Target target, Lease lease, @Nullable Duration keepFor, long grantedAt, CompletableFuture<@Nullable Void> end)
        implements Hold {
    private static final Logger log = LoggerFactory.getLogger(LeaseHold.class);

    /** The shortest one, which makes no lease longer. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** The hold of a lease that was just granted. */
    static LeaseHold of(LockedCall call, Lease lease) {
        return new LeaseHold(
                call.target(), lease, call.method().keepFor(), System.nanoTime(), new CompletableFuture<>());
    }

    @Override
    public boolean isLevel() {
        return false;
    }

    @Override
    public boolean hasEnded() {
        return end.isDone();
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
    public OptionalLong token(String name) {
        if (!(target instanceof LockTarget locks) || !locks.fenced()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                lease instanceof MultiLease several
                        ? several.token(locks.client().getFencedLock(name))
                        : lease.token());
    }

    @Override
    public void release() {
        try {
            if (keepFor == null) {
                lease.close();
            } else {
                lease.closeAfter(restOf(keepFor));
            }
        } catch (ReleaseUnconfirmedException e) {
            log.debug("The release of {} is unconfirmed", target.name(), e);
        } finally {
            Holds.leave(this);
        }
    }

    /** {@link #release()} without waiting, for the hold of no thread; an unconfirmed release is an exception here. */
    CompletableFuture<?> releaseAsync() {
        if (keepFor == null) {
            return lease.releaseAsync();
        }
        return lease.closeAfterAsync(restOf(keepFor));
    }

    /** A rest that is over is negative: the lock is free at once then. */
    private Duration restOf(Duration time) {
        return time.minusNanos(System.nanoTime() - grantedAt);
    }

    /** Two holds of one thread are different ones. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(lease);
    }
}
