package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Acquires a lock by the blocking API, as a turn specifies. The result is the token, 0 if there is none, or empty if
 * the lock is busy.
 */
final class BlockingAcquirer {
    private static final OptionalLong NO_TOKEN = OptionalLong.of(0);

    private BlockingAcquirer() {}

    static OptionalLong of(DistributedLock lock, Turn turn) throws InterruptedException {
        return lock instanceof FencedLock fenced ? fenced(fenced, turn) : plain(lock, turn);
    }

    private static OptionalLong plain(DistributedLock lock, Turn turn) throws InterruptedException {
        Optional<Duration> lease = turn.lease();
        boolean granted =
                switch (turn.way()) {
                    case LOCK -> {
                        lease.ifPresentOrElse(lock::lock, lock::lock);
                        yield true;
                    }
                    case LOCK_INTERRUPTIBLY -> {
                        lockInterruptibly(lock, lease);
                        yield true;
                    }
                    case TRY -> lease.isPresent() ? lock.tryLock(Duration.ZERO, lease.get()) : lock.tryLock();
                    case TRY_WAIT ->
                        lease.isPresent()
                                ? lock.tryLock(turn.longestWait(), lease.get())
                                : lock.tryLock(turn.longestWait());
                };
        return granted ? NO_TOKEN : OptionalLong.empty();
    }

    private static OptionalLong fenced(FencedLock lock, Turn turn) throws InterruptedException {
        Optional<Duration> lease = turn.lease();
        return switch (turn.way()) {
            case LOCK ->
                OptionalLong.of(lease.isPresent() ? lock.lockAndGetToken(lease.get()) : lock.lockAndGetToken());
            case LOCK_INTERRUPTIBLY -> {
                lockInterruptibly(lock, lease);
                yield OptionalLong.of(tokenNow(lock));
            }
            case TRY ->
                lease.isPresent() ? lock.tryLockAndGetToken(Duration.ZERO, lease.get()) : lock.tryLockAndGetToken();
            case TRY_WAIT ->
                lease.isPresent()
                        ? lock.tryLockAndGetToken(turn.longestWait(), lease.get())
                        : lock.tryLockAndGetToken(turn.longestWait());
        };
    }

    private static void lockInterruptibly(DistributedLock lock, Optional<Duration> lease) throws InterruptedException {
        if (lease.isPresent()) {
            lock.lockInterruptibly(lease.get());
        } else {
            lock.lockInterruptibly();
        }
    }

    /** The lease may have run out since the grant; the level exists all the same. */
    private static long tokenNow(FencedLock lock) {
        try {
            return lock.getToken();
        } catch (LeaseLostException tooLate) {
            return 0;
        }
    }
}
