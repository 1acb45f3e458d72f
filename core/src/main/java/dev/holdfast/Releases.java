package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a blocking release keeps its caller: until Redis has answered, or, if the client was set up so, only until it is
 * on its way.
 */
final class Releases {
    private static final Logger log = LoggerFactory.getLogger(Releases.class);

    private final boolean awaited;

    Releases(boolean awaited) {
        this.awaited = awaited;
    }

    /** {@return whether who releases by a blocking call is there to be told what came of it} */
    boolean areAwaited() {
        return awaited;
    }

    /** Returns when the caller may go on; throws what is known to have gone wrong by then. */
    @SuppressWarnings("FutureReturnValueIgnored") // to log does not fail
    void finish(CompletableFuture<@Nullable Void> release) {
        if (awaited || release.isDone()) {
            Blocking.forResult(release);
        } else {
            release.whenComplete((released, failure) -> note(failure));
        }
    }

    /** A lost lease is told, and logged, by who found it. */
    private static void note(@Nullable Throwable failure) {
        if (failure != null && !(failure instanceof LeaseLostException)) {
            log.warn("A release that nobody waits for failed: {}", failure.getMessage());
        }
    }
}
