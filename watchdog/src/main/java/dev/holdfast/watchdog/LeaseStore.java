package dev.holdfast.watchdog;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Where leases really live. The keeper asks about many at once and expects one outcome for each, in the order of the batch.
 *
 * <p>Both methods are called under no lock, on the timer's thread or the one that called
 * {@link LeaseKeeper#verifyAll()}, and must not block: what waits belongs into the returned stage. To throw, to return
 * null, to complete exceptionally or with a list of another length all mean {@link RenewalOutcome#UNKNOWN} for the whole
 * batch. A stage that never completes is given up on.
 *
 * @param <S> what the store needs to know about a lease to find it
 */
public interface LeaseStore<S extends LeaseSubject> {
    /** The usual {@link #batchLimit()}. */
    int DEFAULT_BATCH_LIMIT = 500;

    /** Extends each lease that is still ours to the watchdog timeout, counted from now. */
    CompletionStage<List<RenewalOutcome>> renew(List<S> batch);

    /** Asks whether each lease is still ours, and extends none. */
    CompletionStage<List<RenewalOutcome>> verify(List<S> batch);

    /** {@return how many leases may travel in one batch, so that it does not block the server for all others; asked once} */
    default int batchLimit() {
        return DEFAULT_BATCH_LIMIT;
    }
}
