package dev.holdfast;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long a blocking release blocks its caller: until Redis has answered, or, if the client is configured so, only
 * until the release is submitted.
 */
final class Releases {
    private static final Logger log = LoggerFactory.getLogger(Releases.class);

    private final boolean awaited;

    Releases(boolean awaited) {
        this.awaited = awaited;
    }

    /** {@return whether the caller of a blocking release waits for its outcome} */
    boolean areAwaited() {
        return awaited;
    }

    /** Returns when the caller may continue; throws the failure, if the release has failed by then. */
    @SuppressWarnings("FutureReturnValueIgnored") // logging does not fail
    void finish(CompletableFuture<@Nullable Void> release) {
        if (awaited || release.isDone()) {
            Blocking.forResult(release);
        } else {
            release.whenComplete((released, failure) -> note(failure));
        }
    }

    /** A lost lease is reported, and logged, where it is found. */
    private static void note(@Nullable Throwable failure) {
        if (failure != null && !(failure instanceof LeaseLostException)) {
            log.warn("A release that nobody waits for failed: {}", failure.getMessage());
        }
    }
}
