package dev.holdfast.campaign.worker;

import dev.holdfast.FencedOwnedLock;
import dev.holdfast.LeaseLostException;
import dev.holdfast.OwnedLock;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a lock by futures, as a turn specifies. They complete with the token if there is one, else with whether the
 * lock was granted.
 */
final class FutureAcquirer {
    private static final OptionalLong NO_TOKEN = OptionalLong.of(0);

    private FutureAcquirer() {}

    static CompletableFuture<?> of(OwnedLock lock, Turn turn) {
        return lock instanceof FencedOwnedLock fenced ? fenced(fenced, turn) : plain(lock, turn);
    }

    /** {@return the token, 0 if there is none; empty if the lock is busy} */
    static OptionalLong token(@Nullable Object answer, OwnedLock lock) {
        if (answer instanceof OptionalLong token) {
            return token;
        } else if (answer instanceof Long token) {
            return OptionalLong.of(token);
        } else if (Boolean.FALSE.equals(answer)) {
            return OptionalLong.empty();
        }
        return lock instanceof CallingThread thread ? OptionalLong.of(tokenNow(thread)) : NO_TOKEN;
    }

    private static CompletableFuture<?> plain(OwnedLock lock, Turn turn) {
        Optional<Duration> lease = turn.lease();
        return switch (turn.way()) {
            case LOCK, LOCK_INTERRUPTIBLY -> lease.isPresent() ? lock.lockAsync(lease.get()) : lock.lockAsync();
            case TRY -> lease.isPresent() ? lock.tryLockAsync(Duration.ZERO, lease.get()) : lock.tryLockAsync();
            case TRY_WAIT ->
                lease.isPresent()
                        ? lock.tryLockAsync(turn.longestWait(), lease.get())
                        : lock.tryLockAsync(turn.longestWait());
        };
    }

    private static CompletableFuture<?> fenced(FencedOwnedLock lock, Turn turn) {
        Optional<Duration> lease = turn.lease();
        return switch (turn.way()) {
            case LOCK, LOCK_INTERRUPTIBLY ->
                lease.isPresent() ? lock.lockAndGetTokenAsync(lease.get()) : lock.lockAndGetTokenAsync();
            case TRY ->
                lease.isPresent()
                        ? lock.tryLockAndGetTokenAsync(Duration.ZERO, lease.get())
                        : lock.tryLockAndGetTokenAsync();
            case TRY_WAIT ->
                lease.isPresent()
                        ? lock.tryLockAndGetTokenAsync(turn.longestWait(), lease.get())
                        : lock.tryLockAndGetTokenAsync(turn.longestWait());
        };
    }

    /** The lease may have run out since the grant; the level exists all the same. */
    private static long tokenNow(CallingThread thread) {
        try {
            return thread.token();
        } catch (LeaseLostException tooLate) {
            return 0;
        }
    }
}
