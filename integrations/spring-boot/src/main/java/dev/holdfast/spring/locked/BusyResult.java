package dev.holdfast.spring.locked;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a call returns, or throws, whose lock or permits stayed busy. The begin of a call is one of {@link System#nanoTime()}. */
final class BusyResult {
    private BusyResult() {}

    /**
     * {@return the value of a skipped call}
     *
     * @throws LockBusyException if the call must not be skipped
     */
    static @Nullable Object of(LockedCall call, long begin) {
        LockedMethod method = call.method();
        if (!method.skips()) {
            throw exception(call, begin);
        }
        if (method.result() == ResultKind.FUTURE) {
            CompletionStage<?> nothing = CompletableFuture.completedFuture(null);
            return nothing;
        }
        return method.method().getReturnType() == Optional.class ? Optional.empty() : null;
    }

    static LockBusyException exception(LockedCall call, long begin) {
        Duration waited = since(begin);
        return new LockBusyException(call.name(), waited, call.subject() + " is busy; " + inMillis(waited), null);
    }

    /** The thread's flag is set again, since most methods do not declare an interrupt. */
    static LockBusyException interrupted(LockedCall call, long begin, InterruptedException cause) {
        Thread.currentThread().interrupt();
        Duration waited = since(begin);
        return new LockBusyException(
                call.name(),
                waited,
                "interrupted while waiting for " + call.subject() + "; " + inMillis(waited),
                cause);
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static String inMillis(Duration waited) {
        return "waited for it for " + waited.toMillis() + " ms";
    }
}
