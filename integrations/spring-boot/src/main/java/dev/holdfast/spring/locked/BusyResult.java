package dev.holdfast.spring.locked;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a call returns, or throws, whose lock stayed busy. */
final class BusyResult {
    private BusyResult() {}

    /**
     * {@return the value of a skipped call}
     *
     * @throws LockBusyException if the call must not be skipped
     */
    static @Nullable Object of(LockedMethod method, String lockName) {
        if (!method.skips()) {
            throw exception(lockName);
        }
        if (method.result() == ResultKind.FUTURE) {
            CompletionStage<?> nothing = CompletableFuture.completedFuture(null);
            return nothing;
        }
        return method.method().getReturnType() == Optional.class ? Optional.empty() : null;
    }

    static LockBusyException exception(String lockName) {
        return new LockBusyException(lockName, "the lock " + lockName + " is busy", null);
    }

    /** The thread's flag is set again, since most methods do not declare an interrupt. */
    static LockBusyException interrupted(String lockName, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new LockBusyException(lockName, "interrupted while waiting for the lock " + lockName, cause);
    }
}
